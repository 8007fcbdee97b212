import { useData, withBase } from 'vitepress';
import { computed, defineComponent, h, onMounted, ref } from 'vue';
import { type ListedPage, nearestPages, wordsOfAddress } from './nearest';

interface Section {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Section[];
}

const pagesIn = ({ text, link, items = [] }: Section): ListedPage[] => [
  ...(link === undefined ? [] : [{ text, link }]),
  ...items.flatMap(pagesIn),
];

/** Opens the site's search with these words. */
function search(words: readonly string[]): void {
  try {
    sessionStorage.setItem('vitepress:local-search-filter', words.join(' '));
  } catch {
    // The search opens without them.
  }
  document.querySelector<HTMLButtonElement>('.DocSearch-Button')?.click();
}

/** An address without a page: the pages that it may mean, and the search for its words. */
export const NotFound = defineComponent(() => {
  const { theme } = useData();
  // The file is one for all addresses: what is asked for is known in the browser alone.
  const asked = ref('');
  onMounted(() => {
    asked.value = location.pathname;
  });
  const near = computed(() => {
    const bars: Readonly<Record<string, readonly Section[]>> = theme.value.sidebar;
    // The guides first: they win a draw.
    const pages = [bars['/'] ?? [], ...Object.values(bars)].flatMap((bar) => bar.flatMap(pagesIn));
    return nearestPages(asked.value, pages);
  });
  const words = computed(() =>
    wordsOfAddress(asked.value.split('/').findLast((part) => part !== '') ?? ''),
  );
  return () =>
    h('main', { class: 'not-found' }, [
      h('h1', 'This page is not there'),
      asked.value && h('p', ['Nothing has the address ', h('code', asked.value), '.']),
      near.value.length > 0 && [
        h('h2', 'Perhaps you mean'),
        h(
          'ul',
          near.value.map(({ text, link }) =>
            h('li', { key: link }, [
              h('a', { href: withBase(link) }, [h('b', text), h('span', withBase(link))]),
            ]),
          ),
        ),
      ],
      words.value.length > 0 &&
        h('button', { type: 'button', onClick: () => search(words.value) }, [
          `Search for “${words.value.join(' ')}”`,
        ]),
      h('a', { href: withBase('/') }, 'All documentation'),
    ]);
});
