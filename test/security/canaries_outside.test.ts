import { afterAll, expect, test } from 'vitest';
import { manualIdentity } from '../kit/manual_identity.ts';
import { application, code, person } from '../kit/pages/applicant.ts';
import { openHostedPages } from '../kit/pages/hosted.ts';
import { PlaidRefusal } from '../kit/plaid/refusal.ts';
import { openPlaid } from '../kit/plaid/service.ts';
import { documentFailed } from '../kit/plaid/verifications.ts';
import { openVerifying } from '../kit/plaid/verifying.ts';
import { openServer, type TestServer } from '../kit/server.ts';

/**
 * Data that goes to providers or that the vault keeps stands in clear nowhere else: no log, row, event, audit or error.
 */

/** Values of no shape that redaction knows, so that only what never gets there is not found. */
const canaries = { birth_date: '1971-11-13', line1: '77 Kanarien Way' };
const address = { ...person.address, line1: canaries.line1 };

/** Every row of the database, and every line of the log. */
async function writtenBy(server: TestServer, lines: readonly string[]): Promise<string> {
  await server.service.requestLog.flush();
  const { rows } = await server.owner.query<{ text: string }>(
    `select query_to_xml(format('select * from %I.%I', n.nspname, relname), true, false, '')::text as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where relkind = 'r' and n.nspname in (current_schema(), 'control')`,
  );
  return [...lines, ...rows.map(({ text }) => text)].join('\n');
}
const found = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret));

/** A counterpart that refuses all, and says what it was asked, as errors of packages do. */
const refusesAll = () => new PlaidRefusal('INVALID_API_KEYS');

const linking: string[] = [];
const linker = await openPlaid({ onLog: (line) => void linking.push(line) });
afterAll(() => linker.counterpart.close());
test('no token, secret or number of Plaid is written, whatever becomes of a link', async () => {
  const { server, counterpart } = linker;
  const customer = await linker.opened();
  const { publicToken, item } = linker.share(customer);
  counterpart.misbehaviour.refuse = refusesAll;
  const lost = await linker.tryLink(customer, publicToken);
  counterpart.misbehaviour.refuse = undefined;
  const { body } = await linker.tryLink(customer, publicToken);
  await server.runJobs();
  item.error = 'ITEM_LOGIN_REQUIRED';
  const message = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id: item.item_id };
  expect(await linker.tell(message)).toBe(200);
  expect(await linker.tell(message, { signedBody: '{}' })).toBe(401);
  expect((await linker.linkOf(body.id)).status).toBe('verified');
  const numbers = item.accounts.flatMap((one) => one.numbers?.account ?? []);
  const tokens = [...counterpart.state.linkTokens.keys(), publicToken, item.access_token];
  const secrets = [...tokens, ...numbers, counterpart.state.secret];
  expect(secrets.length).toBeGreaterThan(4);
  expect(found(await writtenBy(server, linking), secrets)).toEqual([]);
  const messages = await server.api.get('/portal/api/rail-messages');
  expect(found(JSON.stringify([lost.body, body, messages]), secrets)).toEqual([]);
});

const verifying: string[] = [];
const verifier = await openVerifying({ onLog: (line) => void verifying.push(line) });
afterAll(() => verifier.counterpart.close());
test('nothing that an applicant gives to Plaid, or that Plaid found of them, is written', async () => {
  const { server, counterpart } = verifier;
  const ssn = '521739848';
  const { id, page } = await verifier.sent({ ssn, birth_date: canaries.birth_date, address });
  counterpart.misbehaviour.refuse = refusesAll;
  await server.runJobs();
  const lost = await page.ask('/identity-step', {});
  counterpart.misbehaviour.refuse = undefined;
  const { body } = await page.ask('/identity-step', {});
  const attempt = verifier.ended(id, documentFailed);
  expect(await verifier.tell(attempt, { signedBody: '{}' })).toBe(401);
  expect(await verifier.tell(attempt)).toBe(200);
  expect(await verifier.messagesOf(id)).toMatchObject([{ state: 'taken' }]);
  const secrets = [ssn, ...Object.values(canaries), body.link_token, counterpart.state.secret];
  // The number and the picture of the document, as the counterpart has them.
  secrets.push('AB123456', 'front.jpeg');
  expect(found(await writtenBy(server, verifying), secrets)).toEqual([]);
  const desk = await server.api.get(`/portal/api/identity/customers/${id}`);
  const messages = await server.api.get('/portal/api/rail-messages');
  expect(found(JSON.stringify([lost.body, desk, messages]), secrets)).toEqual([]);
});

const opening: string[] = [];
const vault = await openServer({
  own: true,
  manual: true,
  config: manualIdentity,
  onLog: (line) => void opening.push(line),
});
test('what is opened at the desk of the vault is in the reply of that one call, and is written nowhere', async () => {
  const { api } = vault;
  const ssn = '912701234';
  const paper = Buffer.from('%PDF-1.4 Kanarienpapier').toString('base64');
  const customer = await api.customer('individual');
  const page = await openHostedPages(vault).page(customer.onboarding_session.token);
  await page.ask('/code', {});
  await page.ask('/code/check', { code });
  await page.ask('/identity-documents', { kind: 'photo_id', file: paper });
  const given = { ...person, ssn, birth_date: canaries.birth_date, address };
  expect(
    (await page.ask('/onboarding', { ...application, pin: '847261', person: given })).status,
  ).toBe(200);
  await vault.runJobs();
  const at = `/portal/api/identity/customers/${customer.id}`;
  const record = await api.get(at);
  const opened = await api.post(`${at}/open`);
  const document = await api.post(`${at}/documents/${record.documents[0].id}/open`);
  const secrets = [ssn, ...Object.values(canaries), paper, 'Kanarienpapier'];
  expect(found(JSON.stringify(opened), secrets)).toEqual([ssn, ...Object.values(canaries)]);
  expect(found(JSON.stringify(document), secrets)).toEqual([paper]);
  await api.post(`/portal/api/review/customers/${customer.id}/approve`, {});
  const refused = await vault.call('POST', `${at}/open`, { token: vault.token });
  expect(refused.body.error.details.reason).toBe('approval_required');
  const audit = await api.get('/portal/api/audit');
  const shown = JSON.stringify([record, refused.body, audit, await api.get(at)]);
  expect(found(shown, secrets)).toEqual([]);
  expect(found(await writtenBy(vault, opening), secrets)).toEqual([]);
  const { rows } = await vault.service.control.query(
    `select record from control.audit where act = 'openIdentity' or body like '%desk%'`,
  );
  expect(rows.map(({ record: of }) => of)).toContain(customer.id);
});
