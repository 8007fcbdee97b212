import { defaultSettings } from '../../core/settings.ts';
import type { PortalCalls, PortalRecords, Shown } from './operation_example.ts';
import { at, ids, tenant, uuid } from './story.ts';

/** The Tenants as the staff of the platform see them, and their settings. */

const { tenant_id: id, tenant_name: name } = tenant;

const figures: Shown<'TenantFigures'> = {
  id,
  object: 'tenant',
  name,
  created_at: at('14:00:00'),
  suspended_at: null,
  now: at('15:05:30'),
  endpoint: {
    host: 'shop.example.com',
    enabled: true,
    last_success_at: at('15:05:21'),
    failure_streak: 0,
  },
  last_day: { payments: 118, volume: 482_350, requests: 2_911, refused: 37, failed: 0 },
  notices: { total: 6, purchase_disputes: 2, reclassified: 1, reasserted: 0 },
};

/** Terms of consumers that get worse. */
const termChange: Shown<'TermChange'> = {
  object: 'term_change',
  id: uuid('e1'),
  status: 'waiting',
  terms: [
    {
      field: 'limits.payment_daily.individual',
      waits: true,
      words: {
        en: 'The most you can pay in a day: $10,000.00 until then, $5,000.00 from then on.',
        es: 'Lo máximo que puede pagar en un día: $10,000.00 hasta entonces, $5,000.00 desde entonces.',
      },
    },
  ],
  security_reason: null,
  consumers: 1_240,
  told_at: at('14:02:00'),
  effective_at: '2026-03-24T04:00:00.000Z',
  created_at: at('14:00:00'),
};

export const tenantRecords: PortalRecords = {
  Settings: defaultSettings(name),
  ConsumerTerms: {
    object: 'consumer_terms',
    consumers: termChange.consumers,
    effective_at: termChange.effective_at,
    changes: [termChange],
  },
  TermChange: termChange,
  Logo: {
    logo_url: `https://pay.example.com/hosted/${'4b'.repeat(16)}/logo/${'9c'.repeat(32)}.png`,
    width: 128,
    height: 128,
    bytes: 1031,
  },
  TenantFigures: figures,
  TenantDetail: {
    ...figures,
    suspended_reason: null,
    customers: 64,
    open_disputes: 1,
    waiting: 3,
    active_credentials: 1,
    lacks: [],
    rate: { limit: 6_000, busiest_minute: 240, last_minute: 61 },
    limits_used: {
      day: '2026-03-02',
      approvals: { used: 125_000, maximum: 1_000_000 },
      customers: [
        {
          limit: 'payment_daily',
          customer_type: 'individual',
          customer_id: ids.ana,
          used: 48_000,
          maximum: 1_000_000,
        },
      ],
    },
    owners: [{ id: uuid('b2'), name: 'Ruth Park', email: 'ruth@example.com' }],
  },
};

export const tenantCalls: PortalCalls = {
  putSettings: { body: { confirmation_grace_seconds: 0 } },
  uploadLogo: {
    body: {
      png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==',
    },
  },
  listTenants: { query: { q: 'sample', ids: id, status: 'active' } },
  getTenant: { path: { id } },
  createTenant: { body: { name: 'Another Tenant', rate_limit: 6000 } },
};
