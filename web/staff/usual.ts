/** Small parts that most pages show: they come with the first one, else each of them would be a file of its own. */

import './api/address.ts';
import './api/environment.ts';
import './api/faces.ts';
import './attention/trouble_strip.tsx';
import './attention/use_attention.ts';
import './attention/words.ts';
import './parts/cents.tsx';
import './parts/change_table.tsx';
import './parts/drawer.tsx';
import './parts/face.tsx';
import './parts/facts.tsx';
import './parts/fold.tsx';
import './parts/json_view.tsx';
import './parts/page_title.tsx';
import './parts/plain_table.tsx';
import './parts/record_link.tsx';
import './parts/scrolling.tsx';
import './parts/section.tsx';
import './parts/short_id.tsx';
import './parts/state_badge.tsx';
import './parts/tell.ts';
import './palette/recents.ts';
import '../ui/isolated.ts';
import '../ui/money.ts';
