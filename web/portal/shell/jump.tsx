import { Search } from '../../staff/palette/opener.tsx';
import { pageGroups } from './pages.ts';

/**
 * Loads the search with pages that show records too: by itself it would cut their common parts into
 * further files.
 */
const load = async () => ({ default: (await import('../groups/records.ts')).Palette });

/** Finds records, pages and actions of the Tenant (Ctrl K). */
export const Jump = () => <Search name="portal" groups={pageGroups} load={load} />;
