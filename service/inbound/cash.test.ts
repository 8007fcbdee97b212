import { readdirSync, readFileSync } from 'node:fs';
import { recipesOf } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles } from '@tenant-payments/contract/lifecycles.ts';
import { type RecipeName, recipeOf, recipes } from '@tenant-payments/contract/recipes.ts';
import { suspenseLifecycle } from '@tenant-payments/contract/resources/suspense.ts';
import { expect, test } from 'vitest';

/** Nothing is cash before a bank has said so (rules/ledger#26). */

const root = new URL('../../', import.meta.url);
const sources = ['engine', 'service', 'backoffice', 'fleet', 'start', 'scripts', 'cli']
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
      .map((path) => `${folder}/${path}`),
  )
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));

const moves = [...Object.values(lifecycles), suspenseLifecycle].flatMap(({ resource, moves }) =>
  Object.entries(moves).map(([name, move]) => ({ name: `${resource}.${name}`, move })),
);

/** Recipes that are posted, and that give to cash or take from it. */
const ofCash = (Object.keys(recipes) as RecipeName[]).filter(
  (name) =>
    !recipeOf(name).retired &&
    recipeOf(name).transfers.some(([from, to]) => [from, to].includes('tenant.cash')),
);

/** Whether a file handles facts of the bank, or makes one as the sandbox's bank for a new Tenant and each day. */
const isOfBank = (path: string): boolean =>
  path.startsWith('service/inbound/') || path === 'service/resources/accounts/sandbox_reserve.ts';

/** Recipes that no move of a record posts: the function that does, which only facts of the bank may call. */
const byFunction: Readonly<Partial<Record<RecipeName, string>>> = {
  dispute_credit_settled: 'creditArrived',
  suspense_return_settled: 'settleReturn',
  fee_sweep_settled: 'settleSweep',
  top_up_settled: 'settleTopUp',
  sent_after_failure: 'bookSent',
  received_after_failure: 'bookReceived',
};

const moving = (recipe: RecipeName) =>
  moves.filter(({ move }) => recipesOf(move).some((posted) => posted === recipe));

test('every recipe that posts to cash is a move of the bank, or is posted where a fact of the bank is handled', () => {
  expect(ofCash).toEqual([
    'load_settled',
    'pay_by_bank_completed',
    'withdrawal_settled',
    'refund_completed_bank',
    'suspense_received',
    'unordered_received',
    ...Object.keys(byFunction).filter((name) => ofCash.includes(name as RecipeName)),
  ]);
  for (const recipe of ofCash) {
    if (recipe in byFunction) expect([recipe, moving(recipe)]).toEqual([recipe, []]);
    else
      expect([recipe, moving(recipe).map(({ move }) => [move.by].flat())]).toEqual([
        recipe,
        [['bank']],
      ]);
  }
});

test.each(Object.entries(byFunction))(
  '%s is posted by %s alone, which only facts call',
  (recipe, name) => {
    const posting = sources.filter(({ text }) => text.includes(`recipe: '${recipe}'`));
    expect(posting).toHaveLength(1);
    const [own] = posting;
    expect(own?.text).toMatch(new RegExp(`export (?:const|function) ${name}\\b`));
    const callers = sources.filter(
      ({ path, text }) => path !== own?.path && new RegExp(`\\b${name}\\b`).test(text),
    );
    expect(callers.length).toBeGreaterThan(0);
    expect(callers.map(({ path }) => path).filter((path) => !isOfBank(path))).toEqual([]);
  },
);

test('a recipe of an earlier release that posted to cash is posted by nothing', () => {
  const retired = (Object.keys(recipes) as RecipeName[]).filter((name) => recipeOf(name).retired);
  expect(retired).toEqual([
    'dispute_credit_sent',
    'suspense_returned',
    'fees_swept',
    'reserve_funded',
  ]);
  for (const recipe of retired)
    expect(sources.filter(({ text }) => text.includes(`recipe: '${recipe}'`))).toEqual([]);
});
