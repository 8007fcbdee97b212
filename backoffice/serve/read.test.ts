import { expect, test } from 'vitest';
import { redactedMark } from '../../service/http/log/redact.ts';
import { shownTo } from './read.ts';

/** The masks of what somebody else has written (rules/people#7). */

const bodyTo = (role: 'support' | 'developer', response_body: string | null) =>
  shownTo([role])({ response_body }).response_body;

test.each([
  'could not book {"first_name":"Ana"}',
  '{"error":{"first_name":"Ana","last_na',
  '"Ana"',
  'Ana',
])('an answer that is not whole JSON is masked whole: %s', (answer) => {
  expect(bodyTo('support', answer)).toBe(redactedMark);
  expect(bodyTo('developer', answer)).toBe(answer);
});

test.each([null, '', '\n'])('an answer without a word stays as it is: %j', (answer) => {
  expect(bodyTo('support', answer)).toBe(answer);
});

test('an answer in JSON is masked by its fields', () => {
  expect(bodyTo('support', '{"code":"late","customer":{"first_name":"Ana"}}')).toBe(
    `{"code":"late","customer":{"first_name":"${redactedMark}"}}`,
  );
});
