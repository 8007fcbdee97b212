import type { ReplyBody } from '../kit/http.ts';
import { type Attempt, attempts, attemptsOn, unmoved } from './attempts.ts';
import { shown, stateOf } from './shown.ts';
import { linkOnHold, type Recipe, states, type Tabled, tabled, tables } from './states.ts';
import type { Held, World } from './world.ts';

/** Each attempt on a record in each state: refused from the wrong ones, taken from the others. */

const daySeconds = 86_400;

/** A record that stands where an attempt can be tried. */
interface Standing {
  readonly table: Tabled;
  readonly state: string;
  readonly record: Held;
}

interface Try {
  readonly attempt: Attempt;
  readonly state: string;
}

const nameOf = ({ attempt, state }: Try) => `${attempt.name} from ${state}`;

/** The hold of the reviewer is nothing that a state shows. */
const onLegalHold =
  (state: 'active' | 'suspended' | 'dormant' | 'closing'): Recipe =>
  async (w) => {
    const account = await made(states.account[state], w);
    await w.post(`/portal/api/review/accounts/${account.id}/place_hold`, {});
    return account;
  };

/** Where it takes more than the state for a row to allow the attempt. */
const prepared: Readonly<Record<string, Recipe>> = {
  'simulate linked_account.hold_released on linked_account from verified': linkOnHold,
  'release_hold by the reviewer on linked_account from verified': linkOnHold,
  'release_hold by the reviewer on account from active': onLegalHold('active'),
  'release_hold by the reviewer on account from suspended': onLegalHold('suspended'),
  'release_hold by the reviewer on account from dormant': onLegalHold('dormant'),
  'release_hold by the reviewer on account from closing': onLegalHold('closing'),
};

/** What is allowed a day later: a new application after a rejection, a statement of a day. */
const isLate = (one: Try) =>
  one.attempt.name.startsWith('simulate statement.available') ||
  (one.attempt.table === 'customer' &&
    one.state === 'rejected' &&
    /customer\.pending|onboarding/.test(one.attempt.name));

const recipeOf = (table: Tabled, state: string): Recipe =>
  (states[table] as Readonly<Record<string, Recipe>>)[state] ?? 'no recipe';

async function made(recipe: Recipe, w: World): Promise<Held> {
  if (typeof recipe === 'string') throw new Error(recipe);
  return recipe(w);
}

/** All that can be tried, whether a row allows it or not. States nobody reaches are left out. */
const tries: readonly Try[] = attempts.flatMap((attempt) =>
  tables[attempt.table].states
    .filter((state: string) => typeof recipeOf(attempt.table, state) !== 'string')
    .map((state: string) => ({ attempt, state })),
);
const isAllowed = ({ attempt, state }: Try) => attempt.from.includes(state);

/** States of tables that somebody moves which no public surface reaches, with the reason. */
export const unreached: readonly string[] = tabled
  .filter((table) => !unmoved.includes(table))
  .flatMap((table) =>
    tables[table].states.flatMap((state: string) => {
      const recipe = recipeOf(table, state);
      return typeof recipe === 'string' ? [`${table} ${state}: ${recipe}`] : [];
    }),
  );

export interface MoveFigures {
  readonly attempts: number;
  readonly states: number;
  readonly refused: number;
  readonly allowed: number;
  readonly violations: readonly string[];
}

type All = <T>(items: readonly T[], work: (item: T) => Promise<void>) => Promise<void>;

export interface MoveNeeds {
  readonly w: World;
  readonly all: All;
  /** A text that differs when any record does. */
  readonly digest: () => Promise<string>;
}

const said = (status: number, body: ReplyBody) =>
  `${status} ${JSON.stringify(body?.error ?? body).slice(0, 300)}`;

/** Why a refusal is not as the contract has it; null: it is. */
async function refusalFault(w: World, attempt: Attempt, { state, record }: Standing) {
  const { status, body } = await attempt.send(w, record);
  const { code, details } = body?.error ?? {};
  if (code !== attempt.refusal) return `${attempt.refusal} expected; it said ${said(status, body)}`;
  const { tells, table } = attempt;
  const told: unknown = details?.current_status;
  const fits =
    tells === table
      ? told === state
      : told === null || (tables[tells].states as readonly unknown[]).includes(told);
  if (code === 'invalid_state' && !fits)
    return `current_status ${state} expected; it said ${said(status, body)}`;
  return null;
}

/** Why an attempt that a row allows does not lead where the row leads. */
async function moveFault(w: World, { attempt, state }: Try, record: Held) {
  const before = await shown(w, attempt.table, record);
  const { status, body } = await attempt.send(w, record);
  if (status >= 300) return `refused with ${said(status, body)}`;
  const after = await shown(w, attempt.table, record);
  const now = stateOf(after);
  if (now !== null && !(attempt.to === 'same' ? [state] : attempt.to).includes(now))
    return `led to ${now}, not to ${attempt.to}`;
  const rose = (after?.version ?? 0) - (before?.version ?? 0);
  if (now !== null && now !== state && after.version !== undefined && rose < 1)
    return `moved, and its version is ${after.version} as before`;
  return null;
}

/** What was thrown is a violation too: a reply that is not as the contract says, or a refusal. */
async function faultOf(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    return (error as Error).message.slice(0, 500);
  }
}

async function checkWrong({ w, all, digest }: MoveNeeds, note: (violation: string) => void) {
  const standing: (Standing & { readonly before: string })[] = [];
  const wanted = [...new Set(tries.map(({ attempt, state }) => `${attempt.table} ${state}`))];
  await all(wanted, async (key) => {
    const [table, state] = key.split(' ') as [Tabled, string];
    const fault = await faultOf(async () => {
      const record = await made(recipeOf(table, state), w);
      const before = await shown(w, table, record);
      const now = stateOf(before);
      if (now !== null && now !== state) return `it stands at ${now}`;
      standing.push({ table, state, record, before: JSON.stringify(before) });
      return null;
    });
    if (fault) note(`${table} cannot be brought to ${state}: ${fault}`);
  });
  const wrong = standing.flatMap((one) =>
    attemptsOn(one.table)
      .filter((attempt) => !isAllowed({ attempt, state: one.state }))
      .map((attempt) => ({ attempt, one })),
  );
  const before = await digest();
  await all(wrong, async ({ attempt, one }) => {
    const fault = await faultOf(() => refusalFault(w, attempt, one));
    if (fault) note(`${nameOf({ attempt, state: one.state })}: ${fault}`);
  });
  if ((await digest()) !== before) note('the refused moves changed a record');
  await all(standing, async ({ table, state, record, before: was }) => {
    const now = JSON.stringify(await shown(w, table, record));
    if (now !== was) note(`${table} in ${state} was changed by refused moves: ${was}, now ${now}`);
  });
  return { states: standing.length, refused: wrong.length };
}

async function checkAllowed({ w, all }: MoveNeeds, note: (violation: string) => void) {
  const allowed = tries.filter(isAllowed);
  const recipeFor = (one: Try) => prepared[nameOf(one)] ?? recipeOf(one.attempt.table, one.state);
  await all(
    allowed.filter((one) => !isLate(one)),
    async (one) => {
      const fault = await faultOf(async () => moveFault(w, one, await made(recipeFor(one), w)));
      if (fault) note(`${nameOf(one)}: ${fault}`);
    },
  );
  const late: { readonly one: Try; readonly record: Held }[] = [];
  await all(allowed.filter(isLate), async (one) => {
    const fault = await faultOf(async () => {
      late.push({ one, record: await made(recipeFor(one), w) });
      return null;
    });
    if (fault) note(`${nameOf(one)}: ${fault}`);
  });
  await w.advance(daySeconds + 60);
  await all(late, async ({ one, record }) => {
    const fault = await faultOf(async () => {
      // A new application needs a new session (decisions 1.1, Session).
      if (one.attempt.name.includes('customer.pending'))
        await w.open('onboarding', { customerId: record.id });
      return moveFault(w, one, record);
    });
    if (fault) note(`${nameOf(one)}: ${fault}`);
  });
  return allowed.length;
}

/** Tries everything from every state. It ends with an advance of the clock by a day. */
export async function checkMoves(needs: MoveNeeds): Promise<MoveFigures> {
  const violations: string[] = [];
  const note = (violation: string) => void violations.push(violation);
  const { states: reached, refused } = await checkWrong(needs, note);
  const allowed = await checkAllowed(needs, note);
  return { attempts: attempts.length, states: reached, refused, allowed, violations };
}
