"""tf.contrib.learn.preprocessing: texts to arrays of word numbers."""
import collections
import pickle
import re

import numpy as np

from ..public import tf

_TOKEN = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


def tokenizer(iterator):
    """The words of each text."""
    for value in iterator:
        yield _TOKEN.findall(value)


class CategoricalVocabulary:
    """Words and their numbers; 0 is what is not known."""

    def __init__(self, unknown_token='<UNK>', support_reverse=True):
        self._unknown_token, self._mapping, self._support_reverse = unknown_token, {unknown_token: 0}, support_reverse
        self._freq, self._freeze, self._reverse_mapping = collections.defaultdict(int), False, [unknown_token]

    def __len__(self):
        return len(self._mapping)

    def freeze(self, freeze=True):
        self._freeze = freeze

    def get(self, category):
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._mapping[category] = len(self._mapping)
            if self._support_reverse:
                self._reverse_mapping.append(category)
        return self._mapping[category]

    def add(self, category, count=1):
        number = self.get(category)
        if number <= 0:
            return
        self._freq[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Keeps words that are more frequent than min_frequency."""
        ordered = sorted(sorted(self._freq.items(), key=lambda item: (isinstance(item[0], str), item[0])),
                         key=lambda item: item[1], reverse=True)
        self._mapping, self._reverse_mapping = {self._unknown_token: 0}, [self._unknown_token]
        kept = 1
        for category, count in ordered:
            if 0 < max_frequency <= count:
                continue
            if count <= min_frequency:
                break
            self._mapping[category] = kept
            kept += 1
            self._reverse_mapping.append(category)
        self._freq = collections.defaultdict(int, dict(ordered[:kept - 1]))

    def reverse(self, class_id):
        if not self._support_reverse:
            raise ValueError('This vocabulary wasn\'t initialized with support_reverse to support reverse() function.')
        return self._reverse_mapping[class_id]


class VocabularyProcessor:
    """Documents as rows of word numbers, cut or padded to one length."""

    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length, self.min_frequency = max_document_length, min_frequency
        self.vocabulary_ = vocabulary if vocabulary else CategoricalVocabulary()
        self._tokenizer = tokenizer_fn if tokenizer_fn else tokenizer

    def fit(self, raw_documents, unused_y=None):
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents):
        for tokens in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for i, token in enumerate(tokens):
                if i >= self.max_document_length:
                    break
                row[i] = self.vocabulary_.get(token)
            yield row

    def reverse(self, documents):
        for row in documents:
            yield ' '.join(self.vocabulary_.reverse(number) for number in row)

    def save(self, filename):
        with tf.gfile.Open(filename, 'wb') as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        with tf.gfile.Open(filename, 'rb') as file:
            return pickle.loads(file.read())


class ByteProcessor:
    """Documents as rows of bytes."""

    def __init__(self, max_document_length):
        self.max_document_length = max_document_length

    def fit(self, x):
        return self

    def fit_transform(self, x):
        return self.transform(x)

    def transform(self, x):
        for text in x:
            data = np.frombuffer(text.encode() if isinstance(text, str) else text, np.uint8)[:self.max_document_length]
            row = np.zeros(self.max_document_length, np.uint8)
            row[:len(data)] = data
            yield row
