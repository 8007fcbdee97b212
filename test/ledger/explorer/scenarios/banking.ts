import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, recordOf, type Scene, type Stage, scene, sessionOf } from '../actor.ts';

/** Money between an account and its bank. */
interface Banking extends Readonly<Record<string, ReplyBody>> {
  readonly person: Person;
  readonly link: ReplyBody;
  /** The withdrawal or load. */
  readonly record: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Banking>>>;
type Kind = 'withdrawal' | 'load';

const cents = 1_000;

async function linked(stage: Stage, type: Person['type'] = 'individual') {
  const person = await stage.person(type, cents);
  const link = await stage.found(
    'linked_accounts',
    'customer_id',
    uuid('customer', person.customerId),
  );
  return { person, link: { id: `la_${link.replaceAll('-', '')}` } };
}

const order = async (stage: Stage, kind: Kind, verb: 'withdraw' | 'load') => {
  const base = await linked(stage);
  const record = recordOf(await stage[verb](base.person, kind === 'load' ? 700 : cents));
  return { ...base, record };
};

/** Confirmed, and the bank knows it by its order. */
async function ordered(stage: Stage, kind: Kind, verb: 'withdraw' | 'load') {
  const cast = await order(stage, kind, verb);
  recordOf(await stage.confirm(cast.record));
  const id = await stage.found('instructions', 'source_id', uuid(kind, cast.record.id));
  return { ...cast, order: id };
}

const ofAccount = {
  suspend: (actor, { person }) => actor.toAccount('account.suspended', person),
  close: (actor, { person }) => actor.close(person),
  finish_closing: (actor, { person }) => actor.toAccount('account.closed', person),
} satisfies Acts;
const ofLink = {
  fail_link: (actor, { link }) => actor.play('linked_account.failed', link),
  unlink: (actor, { person, link }) => actor.unlink(person, link),
} satisfies Acts;

const waits = (kind: Kind): Acts => ({
  confirm: (actor, { record }) => actor.confirm(record),
  decline: (actor, { record }) => actor.decline(record),
  reach_end: (actor, { record }) => actor.play('session.expired', record),
  session_job: (actor, { record }) => actor.runJob('session_end', sessionOf(record)),
  deadline_job: (actor, { record }) => actor.runJob(`${kind}_deadline`, uuid(kind, record.id)),
  new_session: (actor, { person, record }) => actor.newSession(person, kind, record),
});

/** What the bank says of an order that it has, in its own words and in those of the sandbox. */
const answered = (kind: Kind, amount: number): Acts => ({
  settle: (actor, { record }) => actor.play(`${kind}.settled`, record),
  fail: (actor, { record }) => actor.play(`${kind}.failed`, record),
  says_settled: (actor, { order }) =>
    actor.bankFact(order, 'settled', { outcome: 'settled', amount }),
  says_failed: (actor, { order }) =>
    actor.bankFact(order, 'failed', { outcome: 'failed', reason: 'AC04' }),
  says_other: (actor, { order }) =>
    actor.bankFact(order, 'other', { outcome: 'settled', amount: amount - 1 }),
  says_returned: (actor, { order }) =>
    actor.bankFact(order, 'returned', { outcome: 'returned', amount: 300 }),
});

const withdrawals: readonly Scene[] = [
  scene<Banking>({
    name: 'withdrawal that waits',
    build: (stage) => order(stage, 'withdrawal', 'withdraw'),
    acts: {
      ...waits('withdrawal'),
      ...ofAccount,
      ...ofLink,
      withdraw_the_same: (actor, { person }) => actor.withdraw(person, cents),
      review: (actor, { person }) => actor.toCustomer('customer.in_review', person),
    },
  }),
  scene<Banking>({
    name: 'withdrawal whose session is over',
    lateSeconds: 16 * 60,
    build: (stage) => order(stage, 'withdrawal', 'withdraw'),
    acts: { ...waits('withdrawal'), close: ofAccount.close },
  }),
  scene<Banking>({
    name: 'withdrawal at the bank',
    build: (stage) => ordered(stage, 'withdrawal', 'withdraw'),
    acts: { ...answered('withdrawal', cents), ...ofAccount, ...ofLink },
  }),
  scene<Banking>({
    name: 'withdrawal that is settled',
    build: async (stage) => {
      const cast = await ordered(stage, 'withdrawal', 'withdraw');
      recordOf(await stage.play('withdrawal.settled', cast.record));
      return cast;
    },
    acts: {
      return_all: (actor, { record }) => actor.play('withdrawal.returned', record),
      ...answered('withdrawal', cents),
      return_more: (actor, { order }) =>
        actor.bankFact(order, 'more', { outcome: 'returned', amount: 800 }),
      ...ofAccount,
    },
  }),
];

const loads: readonly Scene[] = [
  scene<Banking>({
    name: 'load that waits',
    build: (stage) => order(stage, 'load', 'load'),
    acts: { ...waits('load'), ...ofAccount, ...ofLink },
  }),
  scene<Banking>({
    name: 'load whose session is over',
    lateSeconds: 16 * 60,
    build: (stage) => order(stage, 'load', 'load'),
    acts: { ...waits('load'), close: ofAccount.close },
  }),
  scene<Banking>({
    name: 'load at the bank',
    build: (stage) => ordered(stage, 'load', 'load'),
    acts: { ...answered('load', 700), ...ofAccount, ...ofLink },
  }),
  scene<Banking>({
    name: 'load past its time',
    lateSeconds: 40 * 24 * 3600,
    build: (stage) => ordered(stage, 'load', 'load'),
    acts: {
      ...answered('load', 700),
      timeout_job: (actor, { record }) => actor.runJob('load_timeout', uuid('load', record.id)),
      finish_closing: ofAccount.finish_closing,
    },
  }),
  scene<Banking>({
    name: 'load that has failed',
    build: async (stage) => {
      const cast = await ordered(stage, 'load', 'load');
      recordOf(await stage.play('load.failed', cast.record));
      return cast;
    },
    acts: {
      paid_late: (actor, { record }) => actor.play('load.paid_late', record),
      ...answered('load', 700),
      close: ofAccount.close,
    },
  }),
];

/** A person with links in several states. */
interface Linking extends Readonly<Record<string, ReplyBody>> {
  readonly person: Person;
  readonly link: ReplyBody;
}

const linkActs = {
  verify: (actor, { link }) => actor.play('linked_account.verified', link),
  fail: (actor, { link }) => actor.play('linked_account.failed', link),
  hold: (actor, { link }) => actor.play('linked_account.held_for_review', link),
  unlink: (actor, { person, link }) => actor.unlink(person, link),
  link_another: (actor, { person }) => actor.link(person),
  close: (actor, { person }) => actor.close(person),
  load: (actor, { person }) => actor.load(person, 500),
} satisfies Readonly<Record<string, Act<Linking>>>;

const holdActs = {
  release: (actor, { link }) => actor.play('linked_account.hold_released', link),
  hold_job: (actor, { link }) => actor.runJob('withdrawal_hold', uuid('linked_account', link.id)),
  fail: linkActs.fail,
  unlink: linkActs.unlink,
  withdraw: (actor, { person }) => actor.withdraw(person, 500),
} satisfies Readonly<Record<string, Act<Linking>>>;

/** The second link of a customer, which waits before it takes withdrawals. */
async function held(stage: Stage): Promise<Linking> {
  const { person, link } = await linked(stage);
  recordOf(await stage.unlink(person, link));
  const second = recordOf(await stage.link(person));
  recordOf(await stage.play('linked_account.verified', second));
  return { person, link: second };
}

const links: readonly Scene[] = [
  scene<Linking>({
    name: 'nothing linked yet',
    build: async (stage) => ({ person: await stage.person('individual', 0), link: null }),
    acts: {
      link: linkActs.link_another,
      close: linkActs.close,
      suspend: (actor, { person }) => actor.toAccount('account.suspended', person),
      load: linkActs.load,
    },
  }),
  scene<Linking>({
    name: 'link that is checked',
    build: async (stage) => {
      const person = await stage.person('individual', 0);
      return { person, link: recordOf(await stage.link(person)) };
    },
    acts: linkActs,
  }),
  scene<Linking>({
    name: 'link that is reviewed',
    build: async (stage) => {
      const person = await stage.person('individual', 0);
      const link = recordOf(await stage.link(person));
      recordOf(await stage.play('linked_account.held_for_review', link));
      return { person, link };
    },
    acts: linkActs,
  }),
  scene<Linking>({ name: 'second link, whose withdrawals are held', build: held, acts: holdActs }),
  scene<Linking>({
    name: 'second link, held long enough',
    lateSeconds: 73 * 3600,
    build: held,
    acts: holdActs,
  }),
];

export const bankingScenes: readonly Scene[] = [...withdrawals, ...loads, ...links];
