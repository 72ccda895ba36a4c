// text_ops.cc - ops of strings, lists and lists of types, in C++ against TensorFlow's C interface,
// built with TensorFlow's own headers. It is one of the libraries that tests/op_library_test.py
// loads into Weir and into TensorFlow.
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_tensor.h"
#include "tensorflow/c/tf_tstring.h"

namespace {

struct Status {
  TF_Status* s = TF_NewStatus();
  ~Status() { TF_DeleteStatus(s); }
  bool ok() const { return TF_GetCode(s) == TF_OK; }
};

// JoinAll: elements of N string tensors of one shape, joined with a separator.
struct JoinAll {
  std::string separator;
};

void* JoinCreate(TF_OpKernelConstruction* ctx) {
  Status status;
  auto* kernel = new JoinAll;
  int32_t list = 0, bytes = 0;
  TF_OpKernelConstruction_GetAttrSize(ctx, "separator", &list, &bytes, status.s);
  if (status.ok()) {
    std::vector<char> text(bytes + 1);
    TF_OpKernelConstruction_GetAttrString(ctx, "separator", text.data(), bytes, status.s);
    kernel->separator.assign(text.data(), bytes);
  }
  if (!status.ok()) TF_OpKernelConstruction_Failure(ctx, status.s);
  return kernel;
}

void JoinCompute(void* kernel, TF_OpKernelContext* ctx) {
  Status status;
  std::vector<TF_Tensor*> inputs(TF_NumInputs(ctx));
  for (size_t i = 0; i < inputs.size(); i++) TF_GetInput(ctx, i, &inputs[i], status.s);
  std::vector<int64_t> dims;
  for (int d = 0; d < TF_NumDims(inputs[0]); d++) dims.push_back(TF_Dim(inputs[0], d));
  int64_t count = TF_TensorElementCount(inputs[0]);
  TF_Tensor* out = TF_AllocateOutput(ctx, 0, TF_STRING, dims.data(), dims.size(),
                                     count * sizeof(TF_TString), status.s);
  for (int64_t e = 0; status.ok() && e < count; e++) {
    std::string all;
    for (size_t i = 0; i < inputs.size(); i++) {
      auto* text = static_cast<TF_TString*>(TF_TensorData(inputs[i])) + e;
      if (i) all += static_cast<JoinAll*>(kernel)->separator;
      all.append(TF_TString_GetDataPointer(text), TF_TString_GetSize(text));
    }
    auto* to = static_cast<TF_TString*>(TF_TensorData(out)) + e;
    TF_TString_Init(to);
    TF_TString_Copy(to, all.data(), all.size());
  }
  if (!status.ok()) TF_OpKernelContext_Failure(ctx, status.s);
  for (auto* input : inputs) TF_DeleteTensor(input);
  if (out) TF_DeleteTensor(out);
}

void JoinDelete(void* kernel) { delete static_cast<JoinAll*>(kernel); }

// DotRows: x[n, d] . y[n, d] -> [n]; checks ranks in its shape function. Of T: float and int64.
void DotShape(TF_ShapeInferenceContext* ctx, TF_Status* status) {
  TF_ShapeHandle* x = TF_NewShapeHandle();
  TF_ShapeInferenceContextGetInput(ctx, 0, x, status);
  if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextWithRank(ctx, x, 2, x, status);
  if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSubshape(ctx, x, 0, -1, x, status);
  if (TF_GetCode(status) == TF_OK) TF_ShapeInferenceContextSetOutput(ctx, 0, x, status);
  TF_DeleteShapeHandle(x);
}

template <typename T>
void DotCompute(void*, TF_OpKernelContext* ctx) {
  Status status;
  TF_Tensor *x = nullptr, *y = nullptr;
  TF_GetInput(ctx, 0, &x, status.s);
  if (status.ok()) TF_GetInput(ctx, 1, &y, status.s);
  int64_t n = TF_Dim(x, 0), d = TF_Dim(x, 1);
  if (TF_TensorElementCount(y) != n * d)
    TF_SetStatus(status.s, TF_INVALID_ARGUMENT, "x and y differ in shape");
  TF_Tensor* out = nullptr;
  if (status.ok())
    out = TF_AllocateOutput(ctx, 0, TF_ExpectedOutputDataType(ctx, 0), &n, 1, n * sizeof(T), status.s);
  for (int64_t i = 0; status.ok() && i < n; i++) {
    T sum = 0;
    for (int64_t k = 0; k < d; k++)
      sum += static_cast<T*>(TF_TensorData(x))[i * d + k] * static_cast<T*>(TF_TensorData(y))[i * d + k];
    static_cast<T*>(TF_TensorData(out))[i] = sum;
  }
  if (!status.ok()) TF_OpKernelContext_Failure(ctx, status.s);
  TF_DeleteTensor(x);
  TF_DeleteTensor(y);
  if (out) TF_DeleteTensor(out);
}

// CountBytes: stateful, asynchronous, of a list of types: how many bytes the inputs have. TensorFlow
// keeps the callback only until the function returns, so the thread is waited for.
void CountCompute(void*, TF_OpKernelContext* ctx, TF_AsyncOpKernelDoneCallback* done) {
  std::thread([ctx, done] {
    Status status;
    int64_t total = 0;
    for (int i = 0; i < TF_NumInputs(ctx); i++) {
      TF_Tensor* x = nullptr;
      TF_GetInput(ctx, i, &x, status.s);
      if (x) total += TF_TensorByteSize(x);
      if (x) TF_DeleteTensor(x);
    }
    TF_Tensor* out = TF_AllocateTensor(TF_INT64, nullptr, 0, sizeof total);
    std::memcpy(TF_TensorData(out), &total, sizeof total);
    TF_SetOutput(ctx, 0, out, status.s);
    TF_DeleteTensor(out);
    TF_RunAsyncOpKernelDoneCallback(done);
  }).join();
}

void Register(const char* op, TF_KernelBuilder* kernel, const char* attr, TF_DataType type) {
  Status status;
  if (attr) TF_KernelBuilder_TypeConstraint(kernel, attr, type, status.s);
  TF_RegisterKernelBuilder(op, kernel, status.s);
}

bool RegisterAll() {
  Status status;
  auto* join = TF_NewOpDefinitionBuilder("JoinAll");
  TF_OpDefinitionBuilderAddInput(join, "inputs: N * string");
  TF_OpDefinitionBuilderAddOutput(join, "joined: string");
  TF_OpDefinitionBuilderAddAttr(join, "N: int >= 1");
  TF_OpDefinitionBuilderAddAttr(join, "separator: string = ', '");
  TF_RegisterOpDefinition(join, status.s);
  Register("JoinAll", TF_NewKernelBuilder("JoinAll", "CPU", JoinCreate, JoinCompute, JoinDelete), nullptr, TF_FLOAT);

  auto* dot = TF_NewOpDefinitionBuilder("DotRows");
  TF_OpDefinitionBuilderAddInput(dot, "x: T");
  TF_OpDefinitionBuilderAddInput(dot, "y: T");
  TF_OpDefinitionBuilderAddOutput(dot, "z: T");
  TF_OpDefinitionBuilderAddAttr(dot, "T: realnumbertype");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(dot, DotShape);
  TF_RegisterOpDefinition(dot, status.s);
  Register("DotRows", TF_NewKernelBuilder("DotRows", "CPU", nullptr, DotCompute<float>, nullptr), "T", TF_FLOAT);
  Register("DotRows", TF_NewKernelBuilder("DotRows", "CPU", nullptr, DotCompute<int64_t>, nullptr), "T", TF_INT64);

  auto* count = TF_NewOpDefinitionBuilder("CountBytes");
  TF_OpDefinitionBuilderAddInput(count, "values: Tin");
  TF_OpDefinitionBuilderAddOutput(count, "bytes: int64");
  TF_OpDefinitionBuilderAddAttr(count, "Tin: list(type)");
  TF_OpDefinitionBuilderSetIsStateful(count, true);
  TF_RegisterOpDefinition(count, status.s);
  Register("CountBytes", TF_NewAsyncKernelBuilder("CountBytes", "CPU", nullptr, CountCompute, nullptr), nullptr, TF_FLOAT);
  return true;
}

const bool registered = RegisterAll();

}  // namespace
