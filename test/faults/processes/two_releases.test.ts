import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { samplePin } from '../../../service/sandbox/sample/submission.ts';
import { blankDatabase, type TestDatabase, testDatabase } from '../../kit/database/database.ts';
import { caller, fetchToken } from '../../kit/http/http.ts';
import { openRoundRobin, type RoundRobin } from '../../kit/http/round_robin.ts';
import { launchBrowser, visit } from '../../kit/pages/browser/browser.ts';
import { type StartCommand, startLine } from '../../kit/processes/built.ts';
import type { Checkout } from '../../kit/processes/checkout.ts';
import { type Deployment, openDeployment, terminate } from '../../kit/processes/processes.ts';
import { otherBuild, releaseOf, startOf } from '../../kit/processes/releases.ts';
import { type ProofContext, proofTest, type Verdict } from '../../prove/proof.ts';
import { migrateAhead } from '../../upgrade/probe_migrations.ts';
import { releases } from '../../upgrade/releases.ts';

/** Migrations and a rolling upgrade behind a balancer, with people who pay and a Tenant's server that calls meanwhile. */

const payers = 2;
const clients = 3;
const settleMs = 2_000;
/** Then it has failed, and goes on no longer. */
const mostViolations = 10;

let browser: Browser;
let other: Checkout;
beforeAll(async () => {
  [browser, other] = await Promise.all([launchBrowser(), otherBuild()]);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await other.remove();
});

type Call = ReturnType<typeof caller>;

/** The traffic during an upgrade. */
interface Traffic {
  readonly call: Call;
  readonly baseUrl: string;
  readonly customers: { readonly payer: string; readonly shop: string };
  readonly violations: string[];
  payments: number;
  calls: number;
  /** Calls that a process of the older release refused for a field that it does not know, and that the page repeated. */
  askedAgain: number;
  /** Applied under the older release. */
  migrations: number;
  isOver: boolean;
}

async function newPayment({ call, customers }: Traffic) {
  const { payer, shop } = customers;
  const body = { payer_customer_id: payer, payee_customer_id: shop, amount: 10, source: 'balance' };
  const { status, body: payment } = await call('POST', '/v1/payments', {
    key: crypto.randomUUID(),
    body,
  });
  if (status !== 201) throw new Error(`POST /v1/payments: ${status} ${JSON.stringify(payment)}`);
  return payment;
}

/** Opens a payment's page and pays. */
async function payIn(page: Page, traffic: Traffic): Promise<void> {
  const { confirmation_session } = await newPayment(traffic);
  await page.goto(`${traffic.baseUrl}/hosted#${confirmation_session.token}`);
  await page.getByLabel('PIN', { exact: true }).fill(samplePin);
  await page.getByRole('button', { name: 'Pay $0.10' }).click();
  await page.getByRole('heading', { level: 1, name: 'Paid', exact: true }).waitFor();
}

/** Gives the sample's PIN a hash of its own (rules/hosted#10), which older releases did not for two tries at once. */
async function payOnce(traffic: Traffic): Promise<void> {
  const { page, end } = await visit(browser);
  await payIn(page, traffic);
  await end();
}

/** Until the upgrade is over. Each failure is a violation. */
async function again(traffic: Traffic, what: string, work: () => Promise<void>): Promise<void> {
  while (!traffic.isOver && traffic.violations.length < mostViolations)
    await work().catch((error: Error) => void traffic.violations.push(`${what}: ${error.message}`));
}

/** The nonce of the page, which 1.0.0 does not know (rules/hosted#56): whoever pays sees nothing of it. */
const isAskedAgain = (reply: Response) =>
  reply.status() === 400 &&
  new URL(reply.url()).pathname === '/hosted/api/open' &&
  'opener' in reply.request().postDataJSON();

async function payAlong(traffic: Traffic): Promise<void> {
  const visitor = await visit(browser);
  const { page } = visitor;
  page.on('response', (reply) => {
    if (isAskedAgain(reply)) traffic.askedAgain += 1;
    else if (reply.status() >= 400) traffic.violations.push(`${reply.status()} ${reply.url()}`);
  });
  await again(traffic, 'a payer', async () => {
    await payIn(page, traffic).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await page.textContent('main')}`);
    });
    traffic.payments += 1;
  });
  await visitor.end().catch((error) => void traffic.violations.push(error.message));
}

async function callAlong(traffic: Traffic): Promise<void> {
  const { call } = traffic;
  await again(traffic, 'a client', async () => {
    const { id } = await newPayment(traffic);
    const replies = [
      await call('GET', `/v1/payments/${id}`),
      await call('POST', `/v1/payments/${id}/cancel`, { key: crypto.randomUUID(), body: {} }),
      await call('GET', '/v1/webhook-events?limit=5'),
    ];
    for (const { status } of replies) if (status >= 300) throw new Error(`${status}`);
    traffic.calls += 1 + replies.length;
  });
}

/** A tab of the portal that is open before the upgrade, and opens a page of its own script after it. */
async function openTab(address: string | null) {
  const visitor = await visit(browser);
  const { page } = visitor;
  await page.goto(address ?? '');
  const link = page.getByRole('link', { name: 'Requests', exact: true });
  await link.waitFor();
  return async () => {
    await link.click();
    await page.getByRole('heading', { level: 1, name: /^(Requests|Calls)$/ }).waitFor();
    await visitor.end();
  };
}

async function openTraffic(proxy: RoundRobin, deployment: Deployment): Promise<Traffic> {
  const { baseUrl } = proxy;
  const call = caller(baseUrl, await fetchToken(baseUrl, await deployment.facts()));
  const idOf = async (ref: string): Promise<string> =>
    (await call('GET', `/v1/customers?external_ref=${ref}`)).body.data[0].id;
  const customers = { payer: await idOf('sample-ana'), shop: await idOf('sample-books') };
  return {
    call,
    baseUrl,
    customers,
    violations: proxy.faults,
    payments: 0,
    calls: 0,
    askedAgain: 0,
    migrations: 0,
    isOver: false,
  };
}

interface Upgrade {
  readonly from: StartCommand;
  readonly to: StartCommand;
  /** With the tables of this release, or a blank one for those of the older. */
  readonly database: TestDatabase;
}

/** Replaces one process of two after the other. @returns what was wrong, and what was done meanwhile */
async function upgrade({ from, to, database }: Upgrade): Promise<Traffic> {
  const deployment = await openDeployment(database);
  try {
    const proxy = await openRoundRobin();
    const settings = {
      PUBLIC_URL: proxy.baseUrl,
      SHOP: 'off',
      MIGRATION_DATABASE_URL: database.url,
    };
    const start = (command: StartCommand) => deployment.start('api,worker', settings, { command });
    let running = [await start(from), await start(from)];
    proxy.lead(...running);
    const traffic = await openTraffic(proxy, deployment);
    const goOn = await openTab((await deployment.facts()).portal_sign_in_url);
    await payOnce(traffic);
    const along = [
      ...Array.from({ length: payers }, () => payAlong(traffic)),
      ...Array.from({ length: clients }, () => callAlong(traffic)),
    ];
    const settle = () => new Promise((resolve) => setTimeout(resolve, settleMs));
    await settle();
    // All processes are of the older release, whose prepared statements meet each table anew.
    traffic.migrations = await migrateAhead(database.url);
    await settle();
    for (const leaving of running) {
      const coming = await start(to);
      // The older one first: its page asks the newer one, and the other way.
      proxy.lead(...running, coming);
      await settle();
      running = [...running.filter((one) => one !== leaving), coming];
      proxy.lead(...running);
      const code = await terminate(leaving);
      if (code !== 0) traffic.violations.push(`a process ended with ${code}`);
      await settle();
    }
    traffic.isOver = true;
    await Promise.all(along);
    await goOn().catch((error) => void traffic.violations.push(`the open tab: ${error.message}`));
    if (traffic.payments === 0) traffic.violations.push('nobody could pay');
    return traffic;
  } finally {
    await deployment.stop();
  }
}

/** First two builds of this tree, so that pages of two releases meet; then older releases, in turn. */
async function upgradeOf(round: number): Promise<Upgrade> {
  const older = round === 0 ? undefined : releases[round % releases.length];
  if (!older)
    return {
      from: await startOf(other.folder),
      to: startLine,
      database: await testDatabase(true),
    };
  const from = await startOf(await releaseOf(older.commit));
  return { from, to: startLine, database: await blankDatabase() };
}

async function prove({ rounds, progress }: ProofContext): Promise<Verdict> {
  const violations: string[] = [];
  const figures = { payments: 0, calls: 0, askedAgain: 0, migrations: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const traffic = await upgrade(await upgradeOf(round));
    violations.push(...traffic.violations.map((one) => `round ${round}: ${one}`));
    figures.payments += traffic.payments;
    figures.calls += traffic.calls;
    figures.askedAgain += traffic.askedAgain;
    figures.migrations += traffic.migrations;
    progress(round + 1);
  }
  return { rounds, violations, figures };
}

proofTest(
  'migrations and a rolling upgrade of two processes fail no request, and nobody who pays or works sees a dead page',
  1,
  prove,
);
