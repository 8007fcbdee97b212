import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStatements } from '../../../../test/kit/bank_statements.ts';
import { appendOnly } from '../../../../test/kit/database/database_url.ts';
import type { ReplyBody } from '../../../../test/kit/http/http.ts';
import { portalPerson } from '../../../../test/kit/people.ts';

/** The bank's statement of a day beside the ledger's cash (rules/money-desk#10). */

const { server, maria, openCase, busyDay, sandboxFile, upload, compared } = await openStatements();
const support = await portalPerson(server, 'platform', ['support']);

test("the sandbox bank's own statement ties with the ledger to the cent", async () => {
  const busy = await busyDay();
  const csv = await sandboxFile(busy);
  const comparison = await compared(busy, csv);
  expect(comparison).toMatchObject({
    ties: true,
    differences: [],
    differences_count: 0,
    matched_by_amount: 0,
    statement: { tenant_id: busy.tenantId, day: busy.day, uploaded_by: expect.any(String) },
  });
  const { statement } = comparison;
  expect(comparison.matched_by_reference).toBe(statement.lines);
  expect(statement.lines).toBeGreaterThanOrEqual(4);
  expect(statement.total).toBe(comparison.ledger_total);
  expect(statement.closing_balance).toBe(comparison.ledger_closing_balance);
});

test('a line that is missing, changed or too much is listed as what it is', async () => {
  const busy = await busyDay();
  const [head = '', ...lines] = (await sandboxFile(busy)).trim().split('\r\n');
  const [closing = ''] = lines.splice(-1);
  const isOf = (cents: number) => (line: string) => line.split(',')[1] === String(cents);
  const [load, withdrawal] = [lines.find(isOf(20_00)), lines.find(isOf(-5_00))];
  const changed = [
    head,
    ...lines.filter((line) => line !== load && line !== withdrawal),
    load?.replace(',2000,', ',2100,'),
    `${busy.day},-333,FEE-1,Account fee,`,
    closing,
  ].join('\n');
  const comparison = await compared(busy, changed);
  expect(comparison).toMatchObject({ ties: false, differences_count: 3 });
  const of = (kind: string) => comparison.differences.filter((one: ReplyBody) => one.kind === kind);
  expect(of('other_amount')).toMatchObject([
    { bank_amount: 21_00, ledger_amount: 20_00, source_id: busy.load.id, step: 'load_settled' },
  ]);
  expect(of('bank_only')).toMatchObject([
    { bank_amount: -3_33, reference: 'FEE-1', description: 'Account fee', ledger_amount: null },
  ]);
  expect(of('ledger_only')).toMatchObject([
    { ledger_amount: -5_00, source_id: busy.withdrawal.id, line: null, bank_amount: null },
  ]);
});

test('a difference is cleared up by a note, which stays, and opened again by another', async () => {
  const busy = await busyDay();
  const fee = `${busy.day},-333,FEE-1,Account fee,\n`;
  const { statement, differences } = await compared(busy, `${await sandboxFile(busy)}${fee}`);
  const path = `/bank-statements/${statement.id}/notes`;
  const note = (body: object, by = maria) => by.ask('POST', path, body);
  const [{ key }] = differences;
  const cleared = await note({ difference: key, note: "The bank's fee of July", cleared: true });
  expect([cleared.status, cleared.body]).toMatchObject([
    201,
    {
      ties: false,
      differences_count: 1,
      open_count: 0,
      differences: [{ cleared: true, notes: [{ note: "The bank's fee of July", cleared: true }] }],
    },
  ]);
  const again = await note({ difference: key, note: 'It was charged twice', cleared: false });
  expect(again.body).toMatchObject({ open_count: 1, differences: [{ cleared: false }] });
  expect(again.body.differences[0].notes).toHaveLength(2);
  expect((await note({ difference: 'line 999', note: 'x', cleared: true })).status).toBe(404);
  expect((await note({ difference: key, note: 'x', cleared: true }, support)).status).toBe(403);
  const deleted = server.owner.query('delete from control.bank_statement_notes');
  await expect(deleted).rejects.toThrow(appendOnly);
});

test('a note on a line that had no posting says nothing of one that comes later with another amount', async () => {
  const busy = await busyDay();
  const file = await sandboxFile(busy);
  const late = await busy.api.confirmed(busy.api.load(busy.ana, 9_00));
  const { statement, differences } = await compared(
    busy,
    `${file}${busy.day},1000,${late.id},Load,\n`,
  );
  const path = `/bank-statements/${statement.id}`;
  const [{ key }] = differences;
  await maria.ask('POST', `${path}/notes`, { difference: key, note: 'Comes today', cleared: true });
  await busy.api.simulate('load.settled', late.id);
  const { body } = await maria.ask('GET', path);
  expect(body).toMatchObject({
    open_count: 1,
    differences: [{ kind: 'other_amount', ledger_amount: 9_00, cleared: false, notes: [] }],
  });
});

test('a closing balance that is not the cash of the ledger does not tie, though every line does', async () => {
  const busy = await busyDay();
  const csv = (await sandboxFile(busy)).replace(/,(\d+)\r\n$/, ',1\r\n');
  const comparison = await compared(busy, csv);
  expect(comparison).toMatchObject({ ties: false, differences: [] });
});

test('lines whose references say nothing are matched by amount and day, and counted apart', async () => {
  const busy = await busyDay();
  const lines = (await sandboxFile(busy)).trim().split('\r\n');
  const bare = lines.map((line, at) => {
    const [date, cents, reference, ...rest] = line.split(',');
    return [date, cents, at === 0 ? reference : '', ...rest].join(',');
  });
  const comparison = await compared(busy, bare.join('\n'));
  expect(comparison).toMatchObject({ ties: true, matched_by_reference: 0 });
  expect(comparison.matched_by_amount).toBe(comparison.statement.lines);
});

const day = '2026-03-02';
const head = 'date,amount,reference';

test('a bad file is refused whole and the line is named', async () => {
  const { tenant } = await openCase();
  const of = { tenantId: tenant.tenantId, day };
  const { status, body } = await upload(of, `${head}\n${day},1.00,a\n${day},1.005,b`);
  expect(status).toBe(400);
  const details = { reason: 'bad_amount', line: 3 };
  expect(body.error).toMatchObject({ param: 'csv', details });
  const { body: listed } = await maria.ask('GET', `/bank-statements?tenant_id=${of.tenantId}`);
  expect(listed.data).toEqual([]);
});

const uploadBytes = (tenantId: string, file: Buffer) =>
  maria.ask('POST', '/bank-statements', {
    tenant_id: tenantId,
    day,
    file_name: 'bank.csv',
    file: file.toString('base64'),
  });

test("a file's hash is that of its bytes, and its letters are read by their encoding", async () => {
  const { tenant } = await openCase();
  const csv = `${head},description\n${day},1.00,a,Café José`;
  const windows1252 = Buffer.from(csv, 'latin1');
  const files = [windows1252, Buffer.from(`\ufeff${csv}`), Buffer.from(`\ufeff${csv}`, 'utf16le')];
  for (const file of files) {
    const { status, body } = await uploadBytes(tenant.tenantId, file);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.sha256).toBe(createHash('sha256').update(file).digest('hex'));
    const comparison = (await maria.ask('GET', `/bank-statements/${body.id}`)).body;
    expect(comparison.differences[0].description).toBe('Café José');
  }
});

test('a file that is no text, a bad line and a lone surrogate are refused by the field that has it', async () => {
  const { tenant } = await openCase();
  const of = { tenantId: tenant.tenantId, day };
  const ofBytes = async (file: Buffer) => (await uploadBytes(tenant.tenantId, file)).body.error;
  const invalid = { code: 'parameter_invalid', param: 'file' };
  expect(await ofBytes(Buffer.from('a,b', 'utf16le'))).toMatchObject({
    ...invalid,
    details: { reason: 'no_text' },
  });
  expect(await ofBytes(Buffer.from(`${head}\n${day},x,a`))).toMatchObject({
    ...invalid,
    details: { reason: 'bad_amount', line: 2 },
  });
  expect((await upload(of, `${head}\n${day},1.00,a\ud800c`)).body.error).toMatchObject({
    code: 'parameter_invalid',
    param: 'csv',
    details: { reason: 'bad_text', line: 2 },
  });
  const both = { tenant_id: of.tenantId, day, file_name: 'a', csv: head, file: 'YQ==' };
  expect((await maria.ask('POST', '/bank-statements', both)).body.error).toMatchObject({
    param: 'csv',
    details: { reason: 'one_at_a_time' },
  });
  const none = { tenant_id: of.tenantId, day, file_name: 'a' };
  expect((await maria.ask('POST', '/bank-statements', none)).body.error).toMatchObject({
    code: 'parameter_missing',
    param: 'file',
  });
});

test('the same file is taken once for an account, also when it is sent twice at once', async () => {
  const [one, other] = [await openCase(), await openCase()];
  const csv = `${head}\n${day},1.00,a`;
  const of = { tenantId: one.tenant.tenantId, day };
  const replies = await Promise.all([upload(of, csv), upload(of, csv)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  const [refused] = replies.filter(({ status }) => status === 409);
  const [made] = replies.filter(({ status }) => status === 201);
  expect(refused?.body.error.details).toMatchObject({
    reason: 'uploaded_before',
    statement_id: made?.body.id,
  });
  expect((await upload({ ...of, tenantId: other.tenant.tenantId }, csv)).status).toBe(201);
});

test('the pooled account is compared with all its Tenants together, and none of them alone', async () => {
  const busy = [await busyDay(), await busyDay()];
  const files = await Promise.all(busy.map(sandboxFile));
  for (const { engine } of busy) await engine.change({ account_structure: 'tenant_scheme' });
  const [first] = busy;
  const of = { tenantId: null, day: first?.day ?? '' };
  const alone = await upload({ ...of, tenantId: first?.tenantId ?? '' }, files[0] ?? '');
  expect(alone.body.error.details.reason).toBe('pooled_account');
  const rows = files.flatMap((file, at) =>
    file
      .trim()
      .split('\r\n')
      .filter((line) => !line.endsWith('closing_balance') || at === 0)
      .filter((line) => !/^[\d-]+,,/.test(line)),
  );
  const { status, body } = await upload(of, rows.join('\n'));
  expect(status).toBe(201);
  const comparison = (await maria.ask('GET', `/bank-statements/${body.id}`)).body;
  expect(comparison).toMatchObject({ ties: true, statement: { tenant_id: null } });
  const program = await first?.api.get('/portal/api/bank-statements');
  expect(program?.data).toEqual([]);
});

test('only reviewers see and upload statements, a program those of its own Tenant', async () => {
  const [one, other] = [await openCase(), await openCase()];
  const of = { tenantId: one.tenant.tenantId, day };
  const { body } = await upload(of, `${head}\n${day},1.00,a`);
  for (const path of ['/bank-statements', `/bank-statements/${body.id}`])
    expect((await support.ask('GET', path)).status).toBe(403);
  expect((await upload(of, `${head}\n${day},2.00,a`, support)).status).toBe(403);
  expect((await other.api.get('/portal/api/bank-statements')).data).toEqual([]);
  expect((await one.api.get('/portal/api/bank-statements')).data).toHaveLength(1);
  const theirs = { ...of, file_name: 'x.csv', csv: `${head}\n${day},3.00,a` };
  const { tenantId: tenant_id, ...rest } = theirs;
  const refused = await server.call('POST', '/portal/api/bank-statements', {
    token: other.tenant.token,
    body: { ...rest, tenant_id },
  });
  expect(refused.status).toBe(404);
});

test('nobody changes or removes a statement or a line of it', async () => {
  const { tenant } = await openCase();
  await upload({ tenantId: tenant.tenantId, day }, `${head}\n${day},1.00,a`);
  for (const table of ['control.bank_statements', 'control.bank_statement_lines'])
    for (const change of [
      `delete from ${table}`,
      `update ${table} set id = id`,
      `truncate ${table}`,
    ])
      await expect(server.owner.query(change)).rejects.toThrow();
});

test('of uploads of one file at once one is taken, and the others name it', async () => {
  const day = '2026-03-04';
  const csv = `date,amount,reference\n${day},1.00,once`;
  const replies = await Promise.all([1, 2, 3].map(() => upload({ tenantId: null, day }, csv)));
  const taken = replies.filter(({ status }) => status === 201);
  expect(taken).toHaveLength(1);
  for (const { status, body } of replies)
    if (status !== 201)
      expect(body.error.details).toMatchObject({
        reason: 'uploaded_before',
        statement_id: taken[0]?.body.id,
      });
});
