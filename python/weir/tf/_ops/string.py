"""Ops: string. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'AsString': 'input:T|output:7|T:t precision:i scientific:b shortest:b width:i fill:s|0',
    'DecodeBase64': 'input:7|output:7||0',
    'EncodeBase64': 'input:7|output:7|pad:b|0',
    'Fingerprint': 'data:T method:7|fingerprint:4|T:t|0',
    'ReduceJoin': 'inputs:7 reduction_indices:3|output:7|keep_dims:b separator:s|0',
    'RegexFullMatch': 'input:7 pattern:7|output:10||0',
    'RegexReplace': 'input:7 pattern:7 rewrite:7|output:7|replace_global:b|0',
    'StaticRegexFullMatch': 'input:7|output:10|pattern:s|0',
    'StaticRegexReplace': 'input:7|output:7|pattern:s rewrite:s replace_global:b|0',
    'StringFormat': 'inputs:*T|output:7|T:[t template:s placeholder:s summarize:i|0',
    'StringJoin': 'inputs:N*7|output:7|N:i separator:s|0',
    'StringLength': 'input:7|output:3|unit:s|0',
    'StringLower': 'input:7|output:7|encoding:s|0',
    'StringNGrams': 'data:7 data_splits:Tsplits|ngrams:7 ngrams_splits:Tsplits|separator:s ngram_widths:[i left_pad:s right_pad:s pad_width:i preserve_short_sequences:b Tsplits:t=9|0',
    'StringSplit': 'input:7 delimiter:7|indices:9 values:7 shape:9|skip_empty:b|0',
    'StringSplitV2': 'input:7 sep:7|indices:9 values:7 shape:9|maxsplit:i|0',
    'StringStrip': 'input:7|output:7||0',
    'StringToHashBucket': 'string_tensor:7|output:9|num_buckets:i|0',
    'StringToHashBucketFast': 'input:7|output:9|num_buckets:i|0',
    'StringToHashBucketStrong': 'input:7|output:9|num_buckets:i key:[i|0',
    'StringToNumber': 'string_tensor:7|output:out_type|out_type:t=1|0',
    'StringUpper': 'input:7|output:7|encoding:s|0',
    'Substr': 'input:7 pos:T len:T|output:7|T:t unit:s|0',
    'UnicodeDecode': 'input:7|row_splits:Tsplits char_values:3|input_encoding:s errors:s replacement_char:i replace_control_characters:b Tsplits:t=9|0',
    'UnicodeDecodeWithOffsets': 'input:7|row_splits:Tsplits char_values:3 char_to_byte_starts:9|input_encoding:s errors:s replacement_char:i replace_control_characters:b Tsplits:t=9|0',
    'UnicodeEncode': 'input_values:3 input_splits:Tsplits|output:7|errors:s output_encoding:s replacement_char:i Tsplits:t=9|0',
    'UnicodeScript': 'input:3|output:3||0',
    'UnicodeTranscode': 'input:7|output:7|input_encoding:s output_encoding:s errors:s replacement_char:i replace_control_characters:b|0',
    'UnsortedSegmentJoin': 'inputs:7 segment_ids:Tindices num_segments:Tnumsegments|output:7|separator:s Tindices:t Tnumsegments:t=3|0',
}


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill='', name=None):
    return apply('AsString', name, (input,), {'precision': precision, 'scientific': scientific, 'shortest': shortest, 'width': width, 'fill': fill}).outputs[0]


def decode_base64(input, name=None):
    return apply('DecodeBase64', name, (input,), {}).outputs[0]


def encode_base64(input, pad=False, name=None):
    return apply('EncodeBase64', name, (input,), {'pad': pad}).outputs[0]


def fingerprint(data, method, name=None):
    return apply('Fingerprint', name, (data, method), {}).outputs[0]


def reduce_join(inputs, reduction_indices, keep_dims=False, separator='', name=None):
    return apply('ReduceJoin', name, (inputs, reduction_indices), {'keep_dims': keep_dims, 'separator': separator}).outputs[0]


def regex_full_match(input, pattern, name=None):
    return apply('RegexFullMatch', name, (input, pattern), {}).outputs[0]


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    return apply('RegexReplace', name, (input, pattern, rewrite), {'replace_global': replace_global}).outputs[0]


def static_regex_full_match(input, pattern, name=None):
    return apply('StaticRegexFullMatch', name, (input,), {'pattern': pattern}).outputs[0]


def static_regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    return apply('StaticRegexReplace', name, (input,), {'pattern': pattern, 'rewrite': rewrite, 'replace_global': replace_global}).outputs[0]


def string_format(inputs, template='%s', placeholder='%s', summarize=3, name=None):
    return apply('StringFormat', name, (inputs,), {'template': template, 'placeholder': placeholder, 'summarize': summarize}).outputs[0]


def string_join(inputs, separator='', name=None):
    return apply('StringJoin', name, (inputs,), {'separator': separator}).outputs[0]


def string_length(input, unit='BYTE', name=None):
    return apply('StringLength', name, (input,), {'unit': unit}).outputs[0]


def string_lower(input, encoding='', name=None):
    return apply('StringLower', name, (input,), {'encoding': encoding}).outputs[0]


def string_n_grams(data, data_splits, separator, ngram_widths, left_pad, right_pad, pad_width, preserve_short_sequences, name=None):
    return results(apply('StringNGrams', name, (data, data_splits), {'separator': separator, 'ngram_widths': ngram_widths, 'left_pad': left_pad, 'right_pad': right_pad, 'pad_width': pad_width, 'preserve_short_sequences': preserve_short_sequences}))


def string_split(input, delimiter, skip_empty=True, name=None):
    return results(apply('StringSplit', name, (input, delimiter), {'skip_empty': skip_empty}))


def string_split_v2(input, sep, maxsplit=-1, name=None):
    return results(apply('StringSplitV2', name, (input, sep), {'maxsplit': maxsplit}))


def string_strip(input, name=None):
    return apply('StringStrip', name, (input,), {}).outputs[0]


def string_to_hash_bucket(string_tensor, num_buckets, name=None):
    return apply('StringToHashBucket', name, (string_tensor,), {'num_buckets': num_buckets}).outputs[0]


def string_to_hash_bucket_fast(input, num_buckets, name=None):
    return apply('StringToHashBucketFast', name, (input,), {'num_buckets': num_buckets}).outputs[0]


def string_to_hash_bucket_strong(input, num_buckets, key, name=None):
    return apply('StringToHashBucketStrong', name, (input,), {'num_buckets': num_buckets, 'key': key}).outputs[0]


def string_to_number(string_tensor, out_type=dtypes.float32, name=None):
    return apply('StringToNumber', name, (string_tensor,), {'out_type': out_type}).outputs[0]


def string_upper(input, encoding='', name=None):
    return apply('StringUpper', name, (input,), {'encoding': encoding}).outputs[0]


def substr(input, pos, len, unit='BYTE', name=None):
    return apply('Substr', name, (input, pos, len), {'unit': unit}).outputs[0]


def unicode_decode(input, input_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, Tsplits=dtypes.int64, name=None):
    return results(apply('UnicodeDecode', name, (input,), {'input_encoding': input_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters, 'Tsplits': Tsplits}))


def unicode_decode_with_offsets(input, input_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, Tsplits=dtypes.int64, name=None):
    return results(apply('UnicodeDecodeWithOffsets', name, (input,), {'input_encoding': input_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters, 'Tsplits': Tsplits}))


def unicode_encode(input_values, input_splits, output_encoding, errors='replace', replacement_char=65533, name=None):
    return apply('UnicodeEncode', name, (input_values, input_splits), {'output_encoding': output_encoding, 'errors': errors, 'replacement_char': replacement_char}).outputs[0]


def unicode_script(input, name=None):
    return apply('UnicodeScript', name, (input,), {}).outputs[0]


def unicode_transcode(input, input_encoding, output_encoding, errors='replace', replacement_char=65533, replace_control_characters=False, name=None):
    return apply('UnicodeTranscode', name, (input,), {'input_encoding': input_encoding, 'output_encoding': output_encoding, 'errors': errors, 'replacement_char': replacement_char, 'replace_control_characters': replace_control_characters}).outputs[0]


def unsorted_segment_join(inputs, segment_ids, num_segments, separator='', name=None):
    return apply('UnsortedSegmentJoin', name, (inputs, segment_ids, num_segments), {'separator': separator}).outputs[0]
