import { Group, Progress, SimpleGrid, Text } from '@mantine/core';
import type { TenantDetail } from '@tenant-payments/backoffice/contract/operate/tenant_figures.ts';
import { fieldOf } from '@tenant-payments/contract/core/fields/records.ts';
import type { ReactNode } from 'react';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { Section } from '../../../staff/parts/section.tsx';
import { dayInWords } from '../../../ui/dates.ts';
import { money } from '../../../ui/money.ts';

interface MeterProps {
  readonly name: string;
  readonly used: number;
  /** Null: there is no limit. */
  readonly maximum: number | null;
  readonly shown: (amount: number) => string;
  readonly children?: ReactNode;
}

/** Above this share somebody may soon be refused. */
const muchPercent = 80;

function Meter({ name, used, maximum, shown, children }: MeterProps) {
  const percent = maximum === null ? 0 : maximum === 0 ? 100 : (100 * used) / maximum;
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {maximum === null ? `${shown(used)}, no limit` : `${shown(used)} of ${shown(maximum)}`}
        </Text>
        {maximum !== null && <Text size="sm">{`${percent.toFixed(1)}%`}</Text>}
      </Group>
      {maximum !== null && (
        <Progress
          value={Math.min(percent, 100)}
          color={percent >= muchPercent ? 'orange' : 'blue'}
          aria-label={name}
          my={4}
        />
      )}
      {children && (
        <Text size="sm" c="dimmed" className="breaks">
          {children}
        </Text>
      )}
    </div>
  );
}

const dollars = (cents: number): string => money(cents, 'en');
const whole = (count: number): string => count.toLocaleString('en-US');

/** The use of each of the Tenant's limits, in numbers (rules/tenants#10). */
export function LimitsUsed({ tenant: { rate, limits_used } }: { readonly tenant: TenantDetail }) {
  const { approvals, customers, day } = limits_used;
  return (
    <Section
      title="Limits used"
      text={`Amounts of ${dayInWords(day, 'en')} in Eastern Time, by the tenant's clock. Of each daily limit the customer who has used most.`}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Meter
          name="Requests in the last minute"
          used={rate.last_minute}
          maximum={rate.limit}
          shown={whole}
        >
          {`${whole(rate.busiest_minute)} in the busiest minute of 24 hours`}
        </Meter>
        <Meter name="Approved without a further admin" {...approvals} shown={dollars}>
          Adjustments, reserve and suspense
        </Meter>
        {customers.map(({ limit, customer_type, customer_id, used, maximum }) => (
          <Meter
            key={`${limit} ${customer_type}`}
            name={fieldOf('settings', `limits.${limit}.${customer_type}`).label}
            used={used}
            maximum={maximum}
            shown={dollars}
          >
            <RecordLink id={customer_id} isBare />
          </Meter>
        ))}
      </SimpleGrid>
      {customers.length === 0 && (
        <Text size="sm" c="dimmed">
          No customer has used a daily limit today.
        </Text>
      )}
    </Section>
  );
}
