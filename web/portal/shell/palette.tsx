import '../../staff/usual.ts';
import { call } from '../../staff/api/call.ts';
import type { Sources } from '../../staff/palette/choices.ts';
import type { PaletteProps } from '../../staff/palette/opener.tsx';
import { PaletteDialog } from '../../staff/palette/palette.tsx';
import { actions } from './actions.ts';

const sources: Sources = {
  actions,
  hint: 'Name, amount, reference, id, page or action',
  search: async (text, signal) =>
    (await call('GET /portal/api/search', { q: text }, { signal })).data,
  pathOf: ({ id }) => `/record/${id}`,
};

/** Searches all that the application has. */
export const Palette = (props: PaletteProps) => <PaletteDialog sources={sources} {...props} />;
