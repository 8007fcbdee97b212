import type { Answer } from './answers.ts';
import { block, bomb, chunked, flood, kept, ok, say } from './behaviours.ts';

/** Answers that are too large for anybody, or never end. */
export const endless: readonly Answer[] = [
  {
    name: 'a body without end',
    behave: flood(`${ok}\r\n`, block),
    status: 200,
    error: null,
    body: kept,
  },
  {
    name: 'a body of 10 GB',
    behave: flood(`${ok}content-length: 10737418240\r\n\r\n`, block),
    status: 200,
    error: null,
    body: kept,
  },
  {
    name: 'a refusal with a body without end',
    behave: flood('HTTP/1.1 500 No\r\n\r\n', block),
    status: 500,
    error: null,
    body: kept,
  },
  {
    name: 'chunks of one byte without end',
    behave: flood(chunked, '1\r\na\r\n'),
    status: 200,
    error: null,
    body: kept,
  },
  {
    name: 'one chunk of a terabyte',
    behave: flood(`${chunked}ffffffffff\r\n`, block),
    status: 200,
    error: null,
    body: kept,
  },
  {
    name: 'a gzip bomb',
    behave: flood(`${ok}content-encoding: gzip\r\n\r\n`, bomb),
    status: 200,
    error: null,
  },
  {
    name: 'a header of 1 MB',
    behave: say(`${ok}x-big: ${'a'.repeat(1 << 20)}\r\n\r\n`),
    status: null,
    error: 'headers_too_large',
  },
  {
    name: '100,000 header lines',
    behave: say(`${ok}${'a: b\r\n'.repeat(100_000)}\r\n`),
    status: null,
    error: 'headers_too_large',
  },
  {
    name: 'headers without end',
    behave: flood(ok, 'a: b\r\n'),
    status: null,
    error: 'headers_too_large',
  },
  {
    name: 'a header value without end',
    behave: flood(`${ok}x: `, block),
    status: null,
    error: 'headers_too_large',
  },
  {
    name: 'a reason phrase without end',
    behave: flood('HTTP/1.1 200 ', block),
    status: null,
    error: 'headers_too_large',
  },
  {
    name: 'interim answers without end',
    behave: flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    status: null,
    error: 'answer_too_large',
  },
  {
    name: 'a chunk size without end',
    behave: flood(chunked, Buffer.alloc(65_536, '0')),
    status: 200,
    error: 'answer_too_large',
    body: '',
  },
  {
    name: 'a chunk extension without end',
    behave: flood(`${chunked}1;`, block),
    status: 200,
    error: 'malformed_answer',
    body: '',
  },
  {
    name: 'trailers without end',
    behave: flood(`${chunked}0\r\n`, 'a: b\r\n'),
    status: 200,
    error: 'headers_too_large',
    body: '',
  },
];
