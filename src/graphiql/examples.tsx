import { ToolbarButton, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef, useState } from 'react';
import { hasWords } from './history.ts';
import { LineIcon } from './icon.tsx';
import { useOpenTab, useShowTab } from './tab-hooks.ts';
import { exampleOf, isEdited, operationName, type Tab } from './tabs.ts';

interface ExampleProps {
  readonly examples: readonly Tab[];
}

/** A menu of the examples, and of the open tabs that are none, which may be more than fit beside each other. */
export function ExampleMenu({ examples }: ExampleProps) {
  const { tabs, activeTabIndex } = useGraphiQL(({ tabs, activeTabIndex }) => ({ tabs, activeTabIndex }));
  const { changeTab } = useGraphiQLActions();
  const openTab = useOpenTab();
  const [search, setSearch] = useState('');
  const panel = useRef<HTMLDivElement>(null);
  const entries = [
    ...examples.map((example) => {
      const index = tabs.findIndex((tab) => exampleOf(tab, [example]));
      const open = () => (index < 0 ? openTab(example) : changeTab(index));
      return { title: operationName(example), text: commentOf(example), index, open };
    }),
    ...tabs.flatMap((tab, index) =>
      exampleOf(tab, examples)
        ? []
        : { title: tab.title, text: 'Open tab', index, open: () => changeTab(index) },
    ),
  ];

  const found = entries.filter(({ title, text }) => hasWords(`${title} ${text}`, search));
  const pick = (entry: (typeof entries)[number] | undefined) => {
    if (!entry) return;
    panel.current?.hidePopover();
    setSearch('');
    entry.open();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each tab that becomes the active one.
  useEffect(() => {
    const tab = document.querySelector('.graphiql-tab-active');
    const pane = document.querySelector('.graphiql-sessions');
    let widths = '';
    // Also once the tab has its width, and when a panel beside the tabs takes some of theirs. Heights do not count: on a
    // phone, an answer makes the page longer, and the user reads on there.
    const observer = new ResizeObserver(() => {
      const now = `${tab?.clientWidth} ${pane?.clientWidth}`;
      if (now !== widths) tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      widths = now;
    });
    if (tab) observer.observe(tab);
    if (pane) observer.observe(pane);
    return () => observer.disconnect();
  }, [activeTabIndex]);

  return (
    <>
      <button type="button" className="graphiql-un-styled example-button" popoverTarget="examples">
        Examples <span className="arrow" />
      </button>
      <div
        id="examples"
        className="history"
        popover="auto"
        ref={panel}
        onToggle={() => panel.current?.querySelector('input')?.focus()}
      >
        <input
          type="search"
          aria-label="Search the examples"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The focus goes back to the button of the menu, which would open it again.
            event.preventDefault();
            pick(found[0]);
          }}
        />
        {found.length === 0 && <p role="status">Nothing found.</p>}
        <ul aria-label="Examples and open tabs">
          {found.map((entry) => (
            <li key={`${entry.title} ${entry.index}`}>
              <button
                type="button"
                className="open"
                aria-current={entry.index === activeTabIndex ? 'true' : undefined}
                onClick={() => pick(entry)}
              >
                <b>{entry.title}</b>
                <span>{entry.text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** What the comment says that an example starts with. */
function commentOf({ query }: Tab): string {
  const [comment = ''] = /^(#.*\n)*/.exec(query ?? '') ?? [];
  return comment.replace(/^# */gm, '').replaceAll('\n', ' ').trim();
}

/** Brings an example back that the user has edited; shown for no other tab. */
export function RestoreButton({ examples }: ExampleProps) {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);
  const showTab = useShowTab();
  const example = tab && exampleOf(tab, examples);
  if (!example || !isEdited(tab, example)) return null;
  return (
    <ToolbarButton label="Restore the example" onClick={() => showTab(example)}>
      <LineIcon className="graphiql-toolbar-icon" path="M9 14 4 9l5-5M4 9h11a5 5 0 0 1 0 10h-4" />
    </ToolbarButton>
  );
}
