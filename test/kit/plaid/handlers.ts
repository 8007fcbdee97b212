import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { PlaidRefusal } from './refusal.ts';
import { accountAt, newItem, type PlaidAccount, type PlaidItem, type PlaidState } from './state.ts';
import { verifying } from './verifications.ts';

/** How the counterpart answers each operation of Plaid's file. */

type Body = Readonly<Record<string, unknown>>;
type Answer = (body: Body) => object;

export const errorOf = ({ code, type, status }: PlaidRefusal, inWebhook = false) => ({
  error_type: type,
  error_code: code,
  error_message: `the counterpart says ${code}`,
  display_message: null,
  ...(inWebhook ? { status } : { request_id: requestId() }),
});

const requestId = () => randomUUID().slice(0, 15);
const itemError = (code: string) => new PlaidRefusal(code, 'ITEM_ERROR');

const shown = ({ account_id, name, subtype, numbers, persistent_account_id }: PlaidAccount) => ({
  account_id,
  balances: {
    available: 100,
    current: 110,
    limit: null,
    iso_currency_code: 'USD',
    unofficial_currency_code: null,
  },
  mask: numbers?.account.slice(-4) ?? null,
  name,
  official_name: null,
  type: 'depository',
  subtype,
  ...(persistent_account_id && { persistent_account_id }),
});

const shownItem = (item: PlaidItem) => ({
  item_id: item.item_id,
  webhook: null,
  error: item.error === null ? null : errorOf(itemError(item.error)),
  available_products: [],
  billed_products: ['auth'],
  consent_expiration_time: null,
  update_type: 'background',
  institution_id: 'ins_117650',
  institution_name: 'Royal Bank of Plaid',
});

const expiration = () => new Date(Date.now() + 4 * 3_600_000).toISOString();

function linking(state: PlaidState): Record<string, Answer> {
  return {
    linkTokenCreate(body) {
      const link_token = `link-sandbox-${randomUUID()}`;
      state.linkTokens.set(link_token, body);
      return { link_token, expiration: expiration() };
    },
    linkTokenGet({ link_token }) {
      const asked = state.linkTokens.get(String(link_token));
      if (!asked) throw new PlaidRefusal('INVALID_LINK_TOKEN');
      const tokens = state.sessions.get(String(link_token)) ?? [];
      const none = { cra_item_add_results: [], cra_update_results: [], bank_income_results: [] };
      const results = { ...none, payroll_income_results: [], document_income_results: null };
      return {
        link_token,
        created_at: new Date().toISOString(),
        expiration: expiration(),
        link_sessions: tokens.map((public_token) => ({
          link_session_id: randomUUID(),
          results: {
            ...results,
            item_add_results: [{ public_token, accounts: [], institution: null }],
          },
        })),
        metadata: {
          initial_products: asked.products ?? [],
          webhook: asked.webhook ?? null,
          country_codes: asked.country_codes,
          language: asked.language,
          redirect_uri: asked.redirect_uri ?? null,
          client_name: asked.client_name,
        },
      };
    },
    itemPublicTokenExchange({ public_token }) {
      const item = state.publicTokens.get(String(public_token));
      if (!item) throw new PlaidRefusal('INVALID_PUBLIC_TOKEN');
      state.publicTokens.delete(String(public_token));
      return { access_token: item.access_token, item_id: item.item_id };
    },
  };
}

function reading(state: PlaidState): Record<string, Answer> {
  const known = ({ access_token }: Body): PlaidItem => {
    const item = [...state.items.values()].find((one) => one.access_token === access_token);
    if (!item) throw new PlaidRefusal('INVALID_ACCESS_TOKEN');
    if (item.isRemoved) throw itemError('ITEM_NOT_FOUND');
    return item;
  };
  const atWork = (body: Body): PlaidItem => {
    const item = known(body);
    if (item.error !== null) throw itemError(item.error);
    return item;
  };
  const chosen = (item: PlaidItem, { options }: Body) => {
    const ids = (options as { account_ids?: string[] } | undefined)?.account_ids;
    return item.accounts.filter(({ account_id }) => !ids || ids.includes(account_id));
  };
  return {
    authGet(body) {
      const item = atWork(body);
      const ach = item.accounts.flatMap(({ account_id, numbers }) =>
        numbers ? [{ account_id, wire_routing: null, ...numbers }] : [],
      );
      if (ach.length === 0) throw itemError('NO_AUTH_ACCOUNTS');
      const numbers = { ach, eft: [], international: [], bacs: [] };
      return { accounts: item.accounts.map(shown), numbers, item: shownItem(item) };
    },
    identityMatch(body) {
      const item = atWork(body);
      const accounts = chosen(item, body).map((account) => ({
        ...shown(account),
        legal_name: account.score === null ? null : { score: account.score },
      }));
      return { accounts, item: shownItem(item) };
    },
    transferCapabilitiesGet(body) {
      const found = atWork(body).accounts.find(({ account_id }) => account_id === body.account_id);
      if (!found) throw new PlaidRefusal('INVALID_ACCOUNT_ID');
      const networks = { rtp: { credit: found.rtp }, rfp: { debit: found.rfp } };
      return { institution_supported_networks: networks };
    },
    itemGet: (body) => ({ item: shownItem(known(body)), status: null }),
    itemRemove(body) {
      known(body).isRemoved = true;
      return {};
    },
    sandboxPublicTokenCreate: () => ({
      public_token: newItem(state, [accountAt()]).publicToken,
    }),
    sandboxItemResetLogin(body) {
      known(body).error = 'ITEM_LOGIN_REQUIRED';
      return { reset_login: true };
    },
    institutionsGetById: ({ institution_id }) => ({
      institution: {
        institution_id,
        name: 'A Bank',
        products: ['auth'],
        country_codes: ['US'],
        routing_numbers: [],
        dtc_numbers: [],
        oauth: false,
      },
    }),
  };
}

/** @param keys public keys by which messages are verified */
export const answersOf = (
  state: PlaidState,
  keys: ReadonlyMap<string, JWK & { readonly expired_at: number | null }>,
): Readonly<Record<string, Answer>> => {
  const own: Record<string, Answer> = {
    ...linking(state),
    ...reading(state),
    ...verifying(state),
    webhookVerificationKeyGet({ key_id }) {
      const key = keys.get(String(key_id));
      if (!key) throw new PlaidRefusal('INVALID_WEBHOOK_VERIFICATION_KEY_ID');
      return { key };
    },
  };
  return Object.fromEntries(
    Object.entries(own).map(([name, answer]) => [
      name,
      (body: Body) => ({ ...answer(body), request_id: requestId() }),
    ]),
  );
};
