import { Search } from '../../staff/palette/opener.tsx';
import { pageGroups } from './pages.ts';

/**
 * Loads the search with pages that show records too: by itself it would cut their common parts into
 * further files.
 */
const load = async () => ({ default: (await import('../groups/platform.ts')).Palette });

const groups = pageGroups;

/** Finds Tenants, records of all of them, pages and actions (Ctrl K). */
export const Find = () => <Search name="console" groups={groups} load={load} />;
