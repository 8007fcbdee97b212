import type { customerFlows } from '../../../../service/sandbox/simulate/customer_flows.ts';
import type { ReplyBody } from '../../../kit/http.ts';
import { uuid } from '../../../kit/ids.ts';
import type { Person } from '../../customers.ts';
import { type Act, type Actor, recordOf, type Scene, type Stage, scene } from '../actor.ts';

interface Applying extends Readonly<Record<string, ReplyBody>> {
  readonly customer: ReplyBody;
}
type Acts = Readonly<Record<string, Act<Applying>>>;

let applicants = 0;

/** Somebody who is nobody else's twin. */
function applicant(type: Person['type']) {
  applicants += 1;
  return {
    type,
    external_ref: `customer-${9_000_000 + applicants}`,
    email: 'customer-1@example.com',
    mobile_number: `+1${3_125_550_100 + applicants}`,
  };
}

async function apply(stage: Stage, type: Person['type']): Promise<Applying> {
  const customer = recordOf(await stage.run(stage.commands.createCustomer, applicant(type)));
  return { customer, applicant: { customerId: customer.id } };
}

const led =
  (type: Person['type'], ...moves: readonly ('pending' | 'in_review' | 'rejected')[]) =>
  async (stage: Stage): Promise<Applying> => {
    const cast = await apply(stage, type);
    for (const move of moves) recordOf(await stage.play(`customer.${move}`, cast.customer));
    if (type === 'individual' || moves.length === 0) return cast;
    const owner = await stage.found('owners', 'customer_id', uuid('customer', cast.customer.id));
    return { ...cast, owner: { id: `own_${owner.replaceAll('-', '')}` } };
  };

type Flow = keyof typeof customerFlows;
const openFlow = (actor: Actor, customerId: string, flow: Flow) =>
  actor.run(actor.commands.createSession, { flow, customer_id: customerId });

const decisions = {
  submit: (actor, { customer }) => actor.play('customer.pending', customer),
  approve: (actor, { customer }) => actor.play('customer.approved', customer),
  reject: (actor, { customer }) => actor.play('customer.rejected', customer),
  review: (actor, { customer }) => actor.play('customer.in_review', customer),
  close: (actor, { customer }) =>
    actor.run(closing(actor), { id: customer.id, reason: 'customer_request' }),
  new_session: (actor, { customer }) => openFlow(actor, customer.id, 'onboarding'),
} satisfies Acts;

const closing = ({ commands }: Actor) => commands.closeCustomer;

const ofOwner: Acts = {
  approve_owner: (actor, { owner }) => actor.play('owner.approved', owner),
  reject_owner: (actor, { owner }) => actor.play('owner.rejected', owner),
  review_owner: (actor, { owner }) => actor.play('owner.in_review', owner),
};

const ofFirstSession: Acts = {
  complete: (actor, { customer }) => actor.play('session.completed', customer.onboarding_session),
  leave: (actor, { customer }) => actor.play('session.canceled', customer.onboarding_session),
  reach_end: (actor, { customer }) => actor.play('session.expired', customer.onboarding_session),
  session_job: (actor, { customer }) =>
    actor.runJob('session_end', uuid('session', customer.onboarding_session.id)),
};

/** A customer with a hosted flow of each kind, and a document that waits to be accepted. */
interface Living extends Readonly<Record<string, ReplyBody>> {
  readonly person: Person;
  readonly contact: ReplyBody;
  readonly reset: ReplyBody;
  readonly terms: ReplyBody;
  readonly document: ReplyBody;
}

async function living(stage: Stage): Promise<Living> {
  const person = await stage.person('individual', 0);
  const { customerId } = person;
  const id = await stage.found('documents', 'customer_id', uuid('customer', customerId));
  const document = { id: `dacc_${id.replaceAll('-', '')}` };
  recordOf(await stage.play('document_acceptance.pending_acceptance', document));
  const [contact, reset, terms] = [
    recordOf(await openFlow(stage, customerId, 'contact_change')),
    recordOf(await openFlow(stage, customerId, 'pin_reset')),
    recordOf(await openFlow(stage, customerId, 'terms_acceptance')),
  ];
  return { person, contact, reset, terms, document };
}

interface Beginning extends Readonly<Record<string, ReplyBody>> {
  readonly first: ReturnType<typeof applicant>;
  readonly second: ReturnType<typeof applicant>;
}

export const peopleScenes: readonly Scene[] = [
  scene<Beginning>({
    name: 'nobody yet',
    build: async () => ({ first: applicant('individual'), second: applicant('individual') }),
    acts: {
      create: (actor, { first }) => actor.run(actor.commands.createCustomer, first),
      same_ref: (actor, { first, second }) =>
        actor.run(actor.commands.createCustomer, { ...second, external_ref: first.external_ref }),
      same_number: (actor, { first, second }) =>
        actor.run(actor.commands.createCustomer, { ...second, mobile_number: first.mobile_number }),
    },
  }),
  scene<Applying>({
    name: 'customer who was made',
    build: led('individual'),
    acts: { ...decisions, ...ofFirstSession },
  }),
  scene<Applying>({
    name: 'customer who is checked',
    build: led('individual', 'pending'),
    acts: decisions,
  }),
  scene<Applying>({
    name: 'customer who is reviewed',
    build: led('individual', 'pending', 'in_review'),
    acts: decisions,
  }),
  scene<Applying>({
    name: 'customer who was rejected',
    lateSeconds: 100 * 24 * 3600,
    build: led('individual', 'pending', 'rejected'),
    acts: decisions,
  }),
  scene<Applying>({
    name: 'business with an owner',
    build: led('business', 'pending'),
    acts: { ...decisions, ...ofOwner },
  }),
  scene<Living>({
    name: 'customer in hosted flows',
    build: living,
    acts: {
      change_contact: (actor, { contact }) => actor.play('session.completed', contact),
      reset_pin: (actor, { reset }) => actor.play('session.completed', reset),
      accept: (actor, { terms }) => actor.play('session.completed', terms),
      leave: (actor, { terms }) => actor.play('session.canceled', terms),
      lock_pin: (actor, { person }) => actor.toCustomer('customer.pin_locked', person),
      publish: (actor, { document }) =>
        actor.play('document_acceptance.pending_acceptance', document),
      new_terms: (actor, { person }) => openFlow(actor, person.customerId, 'terms_acceptance'),
      review: (actor, { person }) => actor.toCustomer('customer.in_review', person),
      close: (actor, { person }) => actor.close(person),
    },
  }),
];
