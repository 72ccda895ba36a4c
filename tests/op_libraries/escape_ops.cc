// escape_ops.cc - an op of TensorFlow's C interface whose kernel also needs C++ of TensorFlow's own
// libraries, as large libraries of ops do. tests/op_library_test.py loads it beside TensorFlow's.
#include <string>

#include "absl/strings/escaping.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/c/tf_tstring.h"

namespace {

// EscapeBytes: a scalar string, with what is not printable written as hexadecimal numbers.
void EscapeCompute(void*, TF_OpKernelContext* ctx) {
  TF_Status* status = TF_NewStatus();
  TF_Tensor *in = nullptr, *out = nullptr;
  TF_GetInput(ctx, 0, &in, status);
  if (TF_GetCode(status) == TF_OK) out = TF_AllocateOutput(ctx, 0, TF_STRING, nullptr, 0, sizeof(TF_TString), status);
  if (out) {
    auto* text = static_cast<TF_TString*>(TF_TensorData(in));
    std::string escaped = absl::CHexEscape({TF_TString_GetDataPointer(text), TF_TString_GetSize(text)});
    auto* to = static_cast<TF_TString*>(TF_TensorData(out));
    TF_TString_Init(to);
    TF_TString_Copy(to, escaped.data(), escaped.size());
  }
  if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(ctx, status);
  if (in) TF_DeleteTensor(in);
  if (out) TF_DeleteTensor(out);
  TF_DeleteStatus(status);
}

}  // namespace

extern "C" void TF_InitKernel() {
  TF_Status* status = TF_NewStatus();
  auto* op = TF_NewOpDefinitionBuilder("EscapeBytes");
  TF_OpDefinitionBuilderAddInput(op, "text: string");
  TF_OpDefinitionBuilderAddOutput(op, "escaped: string");
  TF_RegisterOpDefinition(op, status);
  TF_RegisterKernelBuilder("EscapeBytes", TF_NewKernelBuilder("EscapeBytes", "CPU", nullptr, EscapeCompute, nullptr), status);
  TF_DeleteStatus(status);
}
