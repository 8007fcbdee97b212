import { settingStepUp } from '@tenant-payments/backoffice/contract/step_up.ts';
import { records } from '../../catalog.ts';
import { errorStatus } from '../../core/errors.ts';
import { type Move, recipesOf } from '../../core/lifecycle.ts';
import { settingOwners } from '../../core/setting_facts.ts';
import { eventTypes, lifecycles, moveRows, type Resource } from '../../lifecycles.ts';
import { type RecipeName, recipeOf, recipes } from '../../recipes.ts';
import { type Failure, simulateFailures, simulateNames } from '../../resources/simulations.ts';
import { deliveryOffsetsSeconds } from '../../resources/webhook_events.ts';
import {
  type ProductionRule,
  productionRules,
  refusedHeader,
} from '../../sandbox/production_rules.ts';
import { nameOf } from '../openapi/schemas.ts';
import { simulateNotes } from '../openapi/texts.ts';
import { code, codes, listOf, page, table } from './markdown.ts';

const resources = Object.keys(lifecycles) as Resource[];
const movesOf = (resource: Resource) => Object.entries<Move>(lifecycles[resource].moves);
const fromOf = (move: Move) => (move.from === 'new' ? ['(new)'] : move.from);

const owners = {
  tenant: 'the Tenant: owner, developer',
  platform: 'the platform: admin',
  by_type: 'each rule by its `type`: the platform or the Tenant',
};

const stepUpWords = (wants: boolean | readonly string[]): string => {
  if (typeof wants === 'boolean') return wants ? 'yes' : 'no';
  return `where ${codes(wants)} changes`;
};

/** The settings with whose each is, and whether a change wants a fresh proof. */
export function settingsPage(): string {
  return page(
    'Settings of a Tenant',
    'GET and PUT /portal/api/settings. A key that belongs to somebody else is refused with `forbidden`, its name in `param` and whose it is in `details.owner`. One that wants step-up is refused with `step_up_required`. In a sandbox the access token sets all of them.',
    table(
      ['setting', 'who sets it', 'step-up'],
      Object.entries(settingOwners).map(([key, owner]) => [
        code(key),
        owners[owner],
        stepUpWords(settingStepUp[key as keyof typeof settingStepUp]),
      ]),
    ),
  );
}

/** The state tables, each with its diagram. */
export function statesPage(): string {
  return page(
    'States',
    'One row is one move. A move that no row allows is refused with `invalid_state`. `same` keeps the status; a move with a name under `simulate` can be simulated in the [sandbox](simulate.md); the [recipes](recipes.md) say what it posts.',
    resources.map((resource) => `[${resource}](#${resource})`).join(' · '),
    ...resources.flatMap((resource) => [`## ${resource}`, diagram(resource), moves(resource)]),
  );
}

function moves(resource: Resource): string {
  return table(
    ['move', 'from', 'to', 'by', 'event', 'posts', 'simulate'],
    movesOf(resource).map(([name, move]) => [
      code(name),
      fromOf(move).join(', '),
      move.to,
      listOf(move.by).join(', '),
      codes(listOf(move.event ?? undefined)),
      codes(recipesOf(move)),
      codes(listOf(move.simulate)),
    ]),
  );
}

/** States that no move leaves. */
function endStates(resource: Resource): readonly string[] {
  const left = new Set(
    movesOf(resource).flatMap(([, move]) => (move.to === 'same' ? [] : fromOf(move))),
  );
  return lifecycles[resource].states.filter((state) => !left.has(state));
}

function diagram(resource: Resource): string {
  const arrows = movesOf(resource).flatMap(([name, move]) =>
    fromOf(move).map((from) => {
      const start = move.from === 'new' ? '[*]' : from;
      return `  ${start} --> ${move.to === 'same' ? start : move.to}: ${name}`;
    }),
  );
  const ends = endStates(resource).map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'].join('\n');
}

/** Every money movement, and the Transactions that customers see. */
export function recipesPage(): string {
  return page(
    'Recipes',
    'Each row moves an amount from one pocket or Tenant account to another, so every movement balances.',
    table(
      ['recipe', 'from', 'to', 'amount', 'posted by'],
      (Object.keys(recipes) as RecipeName[]).flatMap((name) =>
        recipes[name].transfers.map(([from, to, amount]) => [
          code(name),
          code(from),
          code(to),
          amount,
          recipeOf(name).retired ? 'earlier releases' : codes(postersOf(name)),
        ]),
      ),
    ),
    '## Transactions',
    table(
      ['recipe', 'party', 'type', 'fee'],
      (Object.keys(recipes) as RecipeName[]).flatMap((name) =>
        transactionsOf(name).map(([party, { type, fee }]) => [code(name), party, type, fee ?? '']),
      ),
    ),
  );
}

const postersOf = (recipe: RecipeName) =>
  moveRows
    .filter(({ move }) => recipesOf(move).some((posted) => posted === recipe))
    .map(({ resource, name }) => `${resource}.${name}`);

function transactionsOf(name: RecipeName): [string, { type: string; fee?: string }][] {
  const recipe = recipes[name];
  return 'transactions' in recipe ? Object.entries(recipe.transactions) : [];
}

/** The event catalog and the schedule of its delivery. */
export function eventsPage(): string {
  return page(
    'Events',
    'Each change to a record is one version and one event, whose `data.object` is the record after the change. Owner, DocumentAcceptance, Session and Transaction do not show their `version`; they only move forward. The creation of a Session has no event.',
    table(
      ['event', 'record', 'moves'],
      eventTypes.map((type) => {
        const resource = resources.find((name) => type.startsWith(`${name}.`));
        return [
          code(type),
          resource === undefined ? '' : (nameOf(records[resource]) ?? resource),
          codes(moveRows.filter(({ move }) => move.event === type).map(({ name }) => name)),
        ];
      }),
    ),
    'An event without a move is a change of other visible fields.',
    '## Delivery',
    'An attempt fails unless it is answered with 2xx within 10 seconds. Attempts follow the first at:',
    table(
      ['attempt', 'after the first'],
      deliveryOffsetsSeconds.map((seconds, index) => [`${index + 1}`, duration(seconds)]),
    ),
  );
}

function duration(seconds: number): string {
  if (seconds === 0) return 'at once';
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}

/** The names of simulated events. */
export function simulatePage(): string {
  return page(
    'Simulate',
    '`POST /v1/sandbox/simulate/{event}` acts for the bank, a provider, a reviewer, the customer or the passing of time, with all checks.',
    table(
      ['event', 'from', 'to', 'acts for', 'failure_code', 'note'],
      simulateNames.map((name) => {
        const bearers = moveRows.filter(({ move }) => move.simulate === name);
        const failure = simulateFailures[name];
        return [
          code(name),
          distinct(bearers.flatMap(({ move }) => fromOf(move))),
          distinct(bearers.map(({ move }) => move.to)),
          distinct(bearers.flatMap(({ move }) => listOf(move.by))),
          failure === undefined ? '' : failureCell(failure),
          simulateNotes[name] ?? '',
        ];
      }),
    ),
  );
}

/** The page of calls that production refuses and a sandbox takes. */
export function productionRulesPage(): string {
  const rows = Object.entries(productionRules);
  const of = (by: ProductionRule['by']) =>
    table(
      ['rule', 'a sandbox takes', 'production answers', 'param'],
      rows
        .filter(([, rule]) => rule.by === by)
        .map(([name, rule]) => [
          code(name),
          rule.call,
          `${errorStatus[rule.code]} ${code(rule.code)}`,
          rule.param === null ? '' : code(rule.param),
        ]),
    );
  return page(
    'What production refuses',
    `Each call that a sandbox takes and production refuses. The reply of such a call has the header \`${refusedHeader}\` with the answer of production, such as \`parameter_invalid; param="url"; reason="scheme"\`. A sandbox that [answers as production](../guide/sandbox-production.md) gives that answer.`,
    'One more thing that your access token may do in a sandbox: rotate secrets, and change endpoints and settings without a passkey. In production a person does this in the portal. To a program with an [API key](../guide/portal.md#give-a-program-a-key) it is 403 `step_up_required`, in a sandbox too.',
    '## Your own calls',
    of('caller'),
    '## The outside that you play',
    'Production has no such operation: there the bank, the reviewer and the time act by themselves. A sandbox goes on taking them, also where it answers as production.',
    of('outside'),
  );
}

const failureCell = ({ codes: taken, fallback }: Failure) =>
  `${codes(taken)}; ${fallback === null ? 'may be absent' : `without one ${code(fallback)}`}`;

const distinct = (words: readonly string[]) => [...new Set(words)].join(', ');
