import type { Service } from '@tenant-payments/service/service.ts';
import { keepLogo, sweepLogos } from '@tenant-payments/service/tenants/logos/logos.ts';

/** POST /portal/api/logos (rules/operations#72) @throws ApiError parameter_invalid */
export function uploadLogo({ config }: Pick<Service, 'config'>): ReturnType<typeof keepLogo> {
  const command = keepLogo(config);
  return {
    ...command,
    decide: (work, loaded, input, prepared) => {
      const answer = command.decide(work, loaded, input, prepared);
      // A logo that was kept before changes no row.
      work.audit({ record: null, after: prepared.shown });
      return answer;
    },
  };
}

/** Once a logo is kept. */
export const forgetOtherLogos =
  ({ db }: Pick<Service, 'db'>) =>
  (tenantId: string, body: string): Promise<void> =>
    sweepLogos(db, tenantId, JSON.parse(body));
