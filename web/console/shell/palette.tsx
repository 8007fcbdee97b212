import './usual.ts';
import { call } from '../../staff/api/call.ts';
import type { Sources } from '../../staff/palette/choices.ts';
import type { PaletteProps } from '../../staff/palette/opener.tsx';
import { PaletteDialog } from '../../staff/palette/palette.tsx';
import { actions } from './actions.ts';

const sources: Sources = {
  actions,
  hint: 'Name, last four of a phone, amount, id, Tenant, page or action',
  search: async (text, signal) =>
    (await call('GET /portal/api/search/tenants', { q: text }, { signal })).data,
  pathOf: ({ id, resource, tenant_id }) =>
    resource === 'tenant' ? `/tenants/${id}` : `/record/${tenant_id}/${id}`,
};

/** Searches all that the application has. */
export const Palette = (props: PaletteProps) => <PaletteDialog sources={sources} {...props} />;
