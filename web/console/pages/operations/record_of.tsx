import { TenantProvider } from '../../../staff/api/queries.ts';
import { RecordLink } from '../../../staff/parts/record_link.tsx';
import { ShortId } from '../../../staff/parts/short_id.tsx';

interface RecordOfProps {
  /** Null: of the platform, whose records have no page. */
  readonly tenantId: string | null;
  readonly id: string;
}

/** A record of whichever Tenant, on a page about all of them. */
export const RecordOf = ({ tenantId, id }: RecordOfProps) =>
  tenantId === null ? (
    <ShortId id={id} />
  ) : (
    <TenantProvider value={tenantId}>
      <RecordLink id={id} isBare />
    </TenantProvider>
  );
