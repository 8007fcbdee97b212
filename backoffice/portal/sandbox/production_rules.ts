import { command } from '@tenant-payments/engine/command.ts';
import { withChanges } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { ProductionRules } from '../../contract/sandbox/production_rules.ts';
import { answersAsProduction } from '../../serve/production.ts';

const view = (enabled: boolean): ProductionRules => ({ object: 'production_rules', enabled });

/** GET /portal/api/sandbox/production-rules */
export const getProductionRules = async (context: ReadContext): Promise<ProductionRules> =>
  view(await answersAsProduction(context));

/** PUT /portal/api/sandbox/production-rules: the setting, which an access token could not put back (rules/sandbox#48) */
export const putProductionRules = command('put_production_rules', {
  load: (read, _input: Pick<ProductionRules, 'enabled'>) => read.one(tenants, {}),
  decide: (work, tenant, { enabled }) => {
    const settings = withChanges(tenant.settings, { production_rules: enabled });
    work.change<typeof tenants>(tenant, { settings });
    return { value: view(enabled) };
  },
});
