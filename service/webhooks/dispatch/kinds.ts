/** A kind of deliveries: to the Tenant's first endpoint, or to the further ones (rules/webhooks#35). */
export interface DeliveryKind {
  readonly name: 'first' | 'further';
  readonly deliveries: 'deliveries' | 'further_deliveries';
  readonly attempts: 'attempts' | 'further_attempts';
  /** The columns that name a delivery. */
  readonly keys: readonly string[];
  /** The column of a delivery that names its lane. */
  readonly lane: 'tenant_id' | 'endpoint_id';
  /** SQL: the endpoint `w` of the delivery `d` as it is now, null where none is enabled, and the secret `s.secret_id`. */
  readonly joins: string;
  /** SQL: the Tenants `t` whose new events have such deliveries. */
  readonly delivering: string;
}

const signedAlone =
  'left join signed_alone s on s.tenant_id = d.tenant_id and s.event_id = d.event_id';

export const deliveryKinds: Readonly<Record<DeliveryKind['name'], DeliveryKind>> = {
  first: {
    name: 'first',
    deliveries: 'deliveries',
    attempts: 'attempts',
    keys: ['tenant_id', 'event_id'],
    lane: 'tenant_id',
    joins: `left join webhook_endpoints w on w.tenant_id = d.tenant_id and w.enabled
      ${signedAlone}`,
    delivering: 't.delivers',
  },
  further: {
    name: 'further',
    deliveries: 'further_deliveries',
    attempts: 'further_attempts',
    keys: ['tenant_id', 'event_id', 'endpoint_id'],
    lane: 'endpoint_id',
    joins: `left join further_endpoints w on w.tenant_id = d.tenant_id and w.id = d.endpoint_id and w.enabled
      ${signedAlone}`,
    delivering: 't.delivers_to is not null',
  },
};

/** SQL: that two rows are of the same delivery. */
export const isSame = ({ keys }: DeliveryKind, one: string, other: string): string =>
  keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' and ');

/** SQL: the columns that name a delivery. */
export const keysOf = ({ keys }: DeliveryKind, of: string): string =>
  keys.map((key) => `${of}.${key}`).join(', ');

/** SQL: that two rows are of the same lane. */
export const isSameLane = (kind: DeliveryKind, one: string, other: string): string =>
  kind.keys
    .filter((key) => key !== 'event_id')
    .map((key) => `${one}.${key} = ${other}.${key}`)
    .join(' and ');
