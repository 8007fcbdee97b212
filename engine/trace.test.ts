import { expect, test } from 'vitest';
import { traceFact, traceparentOf, untraced } from './trace.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

test.each([
  ['as the standard writes it', `00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`],
  ['not sampled', `00-${trace}-${parent}-00`, `00-${trace}-${parent}-00`],
  ['a random trace', `00-${trace}-${parent}-03`, `00-${trace}-${parent}-03`],
  ['flags that nobody knows yet', `00-${trace}-${parent}-ff`, `00-${trace}-${parent}-03`],
  ['a later version', `cc-${trace}-${parent}-01`, `00-${trace}-${parent}-01`],
  ['a later version that says more', `cc-${trace}-${parent}-01-more`, `00-${trace}-${parent}-01`],
  ['white space around it', ` 00-${trace}-${parent}-01 `, `00-${trace}-${parent}-01`],
  ['nothing', undefined, null],
  ['an empty one', '', null],
  ['two of them', `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`, null],
  ['a version that is none', `ff-${trace}-${parent}-01`, null],
  ['more than its version has', `00-${trace}-${parent}-01-more`, null],
  ['a later version without its hyphen', `cc-${trace}-${parent}-01more`, null],
  ['no trace', `00-${'0'.repeat(32)}-${parent}-01`, null],
  ['no parent', `00-${trace}-${'0'.repeat(16)}-01`, null],
  ['capitals', `00-${trace.toUpperCase()}-${parent}-01`, null],
  ['too short a trace', `00-${trace.slice(1)}-${parent}-01`, null],
  ['what is no hexadecimal', `00-${trace}-${parent}-0x`, null],
  ['a line of its own', `00-${trace}-${parent}-01\r\nx: y`, null],
])('a header with %s', (_, header, expected) => {
  expect(traceparentOf(header)).toBe(expected);
});

test('without a collector a trace is passed on as it came, and none begins', () => {
  const given = `00-${trace}-${parent}-01`;
  expect(untraced.begin('work', { kind: 'inside', parent: given }).traceparent).toBe(given);
  expect(untraced.begin('work', { kind: 'inside', parent: null }).traceparent).toBeNull();
  expect(traceFact(given)).toEqual({ trace_id: trace });
  expect(traceFact(null)).toEqual({});
});
