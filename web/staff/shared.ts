/**
 * Small parts that nearly every page has: they come with the first load. Each group of pages names them too, so that
 * the build puts them in one file and not into one for each set of groups.
 */
import './api/address.ts';
import './api/environment.ts';
import './attention/use_attention.ts';
import './attention/words.ts';
import './parts/cents.tsx';
import './parts/facts.tsx';
import './parts/filter_text.tsx';
import './parts/fold.tsx';
import './parts/page_title.tsx';
import './parts/plain_table.tsx';
import './parts/scrolling.tsx';
import './parts/section.tsx';
import './parts/state_badge.tsx';
import './parts/tell.ts';
import '../ui/isolated.ts';
import '../ui/money.ts';
