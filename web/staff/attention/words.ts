import type {
  Attention,
  PlatformAttention,
} from '@tenant-payments/backoffice/contract/operate/attention.ts';

/** One thing that needs a person, of a Tenant or of the platform. */
export type AttentionItem = Attention['items'][number] | PlatformAttention['items'][number];
type Kind = AttentionItem['kind'];

/** The words for one item of a kind, and for several: the same on every page. */
const words: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  endpoints_failing: ['webhook endpoint is failing', 'webhook endpoints are failing'],
  disputes_late: ['dispute has missed a deadline', 'disputes have missed a deadline'],
  disputes_due: ['dispute is due within a week', 'disputes are due within a week'],
  keys_expiring: ['API key expires within two weeks', 'API keys expire within two weeks'],
  documents_asked: ['customer is asked for documents', 'customers are asked for documents'],
  cases_late: ['other case is late', 'other cases are late'],
  worries: ['thing in operations needs you', 'things in operations need you'],
  alarms: ['alarm is open', 'alarms are open'],
  cases: ['case waits on the desk', 'cases wait on the desk'],
  approvals: ['request waits for your approval', 'requests wait for your approval'],
  requests: ['request to the platform waits for you', 'requests to the platform wait for you'],
};

/** `3`, `99+`. */
export const countOf = ({ count, is_more }: Pick<AttentionItem, 'count' | 'is_more'>): string =>
  `${count}${is_more ? '+' : ''}`;

/** `1 dispute has missed a deadline`. */
export const saidOf = (item: AttentionItem): string => {
  const [one, many] = words[item.kind];
  return `${countOf(item)} ${item.count === 1 ? one : many}`;
};

interface Way {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** Each kind's page, in the portal. */
const inPortal: Readonly<Record<Attention['items'][number]['kind'], Way>> = {
  endpoints_failing: { to: '/webhooks' },
  disputes_late: { to: '/records/disputes' },
  disputes_due: { to: '/records/disputes' },
  keys_expiring: { to: '/api-keys' },
  documents_asked: { to: '/records/customers', search: { status: 'pending' } },
};

/** The same in the console. */
const inConsole: Readonly<Record<PlatformAttention['items'][number]['kind'], Way>> = {
  disputes_late: { to: '/disputes' },
  cases_late: { to: '/desk', search: { late: 'yes' } },
  worries: { to: '/operations' },
  alarms: { to: '/alarms', search: { status: 'open' } },
  cases: { to: '/desk' },
  approvals: { to: '/desk', search: { resource: 'approvals' } },
  requests: { to: '/requests' },
};

/** The page on which something is done about an item. */
export const wayOf = (item: AttentionItem, isConsole: boolean): Way => {
  const ways: Readonly<Record<string, Way>> = isConsole ? inConsole : inPortal;
  return ways[item.kind] ?? { to: '/' };
};

/** The items that a page of the navigation is about. */
export const itemsAt = (
  path: string,
  items: readonly AttentionItem[],
  isConsole: boolean,
): readonly AttentionItem[] =>
  // Late cases are counted among the waiting ones, so they are not counted twice.
  items.filter((item) => item.kind !== 'cases_late' && wayOf(item, isConsole).to === path);
