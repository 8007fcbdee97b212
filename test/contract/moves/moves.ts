import { easternDay } from '../../../service/resources/limits/days.ts';
import type { Reply } from '../../kit/http/http.ts';
import type { Scenario } from '../scenario.ts';
import type { Sender } from '../send.ts';
import { shown, stateOf } from '../shown.ts';
import { type Attempt, attempts, type Held, type Table, tables } from './attempts.ts';
import { madeIn, statesOf, unreached } from './states.ts';

/** States that are not reached, with the reason. */
const excused: Readonly<Record<string, string>> = {
  'owner invited': 'the pages in which an owner is sent a link are not served yet',
  'notice waiting': 'a job sends it at once, or makes it a task',
  'notice sent': 'the desk shows tasks alone',
};
export const exemptStates: readonly string[] = Object.entries(excused).map(
  ([state, reason]) => `${state}: ${reason}`,
);

interface Try {
  readonly attempt: Attempt;
  readonly state: string;
}
const isAllowed = ({ attempt, state }: Try) => attempt.from.includes(state);
const nameOf = ({ attempt, state }: Try) => `${attempt.name} from ${state}`;

/** All that can be tried, whether a row allows it or not. */
const tries: readonly Try[] = attempts.flatMap((attempt) =>
  statesOf(attempt.table).map((state) => ({ attempt, state })),
);

/** A hold, or that a customer must sign in again, is nothing that a state shows. */
const releases = ({ name }: Attempt) =>
  /hold_released|login_restored/.test(name) || name.startsWith('release_hold');

/** Whether an attempt is allowed a day later: a new application after a rejection, a statement of a day. */
const isLate = ({ attempt: { name, table }, state }: Try) =>
  name.startsWith('simulate statement.available') ||
  (table === 'customer' && state === 'rejected' && /customer\.pending|onboarding/.test(name));

interface MoveNeeds {
  readonly scenario: Scenario;
  readonly all: Sender['all'];
  /** A text that differs when any record does. */
  readonly digest: () => Promise<string>;
}

const answered = ({ status, body }: Reply) =>
  `it answered ${status} ${JSON.stringify(body?.error ?? body).slice(0, 300)}`;

/** Why a refusal is not as the contract says; null: it is. */
async function refusalFault(s: Scenario, { attempt, state }: Try, record: Held) {
  const reply = await attempt.send(s, record);
  const { code, details } = reply.body?.error ?? {};
  if (code !== attempt.refusal) return `${attempt.refusal} expected; ${answered(reply)}`;
  if (code !== 'invalid_state') return null;
  const { shows, table } = attempt;
  const told = details?.current_status;
  const isTold =
    shows === table ? told === state : told === null || tables[shows].states.includes(told);
  return isTold ? null : `current_status ${state} expected; ${answered(reply)}`;
}

/** Why an attempt that a row allows does not lead where the row leads; null: it does. */
async function moveFault(s: Scenario, { attempt, state }: Try, record: Held) {
  const before = await shown(s, attempt.table, record);
  const reply = await attempt.send(s, record);
  if (reply.status >= 300) return `refused: ${answered(reply)}`;
  const after = await shown(s, attempt.table, record);
  const now = stateOf(after);
  if (now === null) return null;
  if (!(attempt.to === 'same' ? [state] : attempt.to).includes(now))
    return `led to ${now}, not to ${attempt.to}`;
  const isNewVersion = after.version === undefined || after.version > before.version;
  return now === state || isNewVersion
    ? null
    : `moved, and its version is ${after.version} as before`;
}

/** Tries everything from every state. The Tenant's clock is a day ahead afterwards. */
export async function checkMoves(needs: MoveNeeds) {
  const { scenario: s, all, digest } = needs;
  const violations = unreached
    .filter((state) => !excused[state])
    .map((state) => `${state}: nothing leads to it`);
  /** Notes a violation; a thrown error is one too: a reply that is not as the contract says, or a refusal. */
  async function note(what: string, work: () => Promise<string | null>): Promise<void> {
    const fault = await work().catch(({ message }: Error) => message.slice(0, 500));
    if (fault) violations.push(`${what}: ${fault}`);
  }

  /** Each record in each state meets every attempt that no row allows, and stays as it was. */
  async function checkWrong(): Promise<number> {
    const standing: { table: Table; state: string; record: Held; before: string }[] = [];
    const wanted = new Map(
      tries.map(({ attempt: { table }, state }) => [`${table} ${state}`, { table, state }]),
    );
    await all([...wanted.values()], ({ table, state }) =>
      note(`making ${table} ${state}`, async () => {
        const record = await madeIn(s, table, state);
        const before = await shown(s, table, record);
        const now = stateOf(before);
        if (now !== null && now !== state) return `it is ${now}`;
        standing.push({ table, state, record, before: JSON.stringify(before) });
        return null;
      }),
    );
    const wrong = standing.flatMap(({ table, state, record }) =>
      tries
        .filter((one) => one.attempt.table === table && one.state === state && !isAllowed(one))
        .map((one) => ({ one, record })),
    );
    const before = await digest();
    await all(wrong, ({ one, record }) => note(nameOf(one), () => refusalFault(s, one, record)));
    if ((await digest()) !== before) violations.push('the refused moves changed a record');
    await all(standing, ({ table, state, record, before }) =>
      note(`${table} ${state} after refused moves`, async () => {
        const now = JSON.stringify(await shown(s, table, record));
        return now === before ? null : `${before}, now ${now}`;
      }),
    );
    return wrong.length;
  }

  /** Each attempt that a row allows leads where the row leads. */
  async function checkAllowed(): Promise<number> {
    const allowed = tries.filter(isAllowed);
    const late: { one: Try; record: Held }[] = [];
    await all(allowed, (one) =>
      note(nameOf(one), async () => {
        const { table } = one.attempt;
        const record = await madeIn(s, table, one.state, releases(one.attempt));
        if (!isLate(one)) return moveFault(s, one, record);
        late.push({ one, record });
        return null;
      }),
    );
    await s.api.advance(daySeconds + 60);
    // On the first of a month the statement of the month before is made, and of that day none can be yet.
    const { now } = await s.api.get('/portal/api/clock');
    if (easternDay(now).endsWith('-01')) await s.api.advance(daySeconds);
    await all(late, ({ one, record }) =>
      note(nameOf(one), async () => {
        // A new application needs a new session.
        if (one.attempt.name.includes('customer.pending'))
          await s.api.session('onboarding', { customerId: record.id });
        return moveFault(s, one, record);
      }),
    );
    return allowed.length;
  }

  const refused = await checkWrong();
  const allowed = await checkAllowed();
  return { refused, cases: refused + allowed, violations };
}

const daySeconds = 86_400;
