import '../../staff/usual.ts';
import { call } from '../../staff/api/call.ts';
import type { Sources } from '../../staff/palette/choices.ts';
import type { PaletteProps } from '../../staff/palette/opener.tsx';
import { PaletteDialog } from '../../staff/palette/palette.tsx';
import { actions } from './actions.ts';
import { pageGroups } from './pages.ts';

const sources: Sources = {
  groups: pageGroups,
  actions,
  hint: 'Name, amount, reference, id, page or action',
  search: async (text, signal) =>
    (await call('GET /portal/api/search', { q: text }, { signal })).data,
  pathOf: ({ id }) => `/record/${id}`,
};

export default (props: PaletteProps) => <PaletteDialog sources={sources} {...props} />;
