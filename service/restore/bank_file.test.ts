import { expect, test } from 'vitest';
import { readBankFile } from './bank_file.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
const endToEnd = id.replaceAll('-', '').toUpperCase();

test('a list of the bank may be JSON or CSV, with the id of the order or the end-to-end id', () => {
  const line = { id, tenantId: null, amount: 500, outcome: { outcome: 'settled', amount: 500 } };
  expect(readBankFile(`order_id,amount,outcome\r\n${endToEnd},500,settled\r\n`)).toEqual([line]);
  expect(readBankFile(JSON.stringify([{ order_id: id, amount: 500, outcome: 'settled' }]))).toEqual(
    [line],
  );
  expect(readBankFile(`order_id,outcome,reason\n${id},failed,AC04`)).toMatchObject([
    { outcome: { outcome: 'failed', reason: 'AC04' } },
  ]);
  expect(readBankFile(`order_id\n${id}`)).toMatchObject([{ amount: null, outcome: null }]);
});

test.each([
  ['order_id\n12', 'line 1: order_id'],
  [`order_id,amount\n${id},5.00`, 'line 1: amount'],
  [`order_id,outcome\n${id},paid`, 'line 1: outcome'],
  [`order_id,outcome\n${id},settled`, 'line 1: settled needs the amount'],
])('a wrong list is refused with its line: %j', (content, fault) => {
  expect(() => readBankFile(content)).toThrow(fault);
});
