import { DropdownMenu, ToolbarButton, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';
import { LineIcon } from './icon.tsx';
import { useOpenTab, useShowTab } from './tab-hooks.ts';
import { exampleOf, isEdited, operationName, type Tab } from './tabs.ts';

interface ExampleProps {
  readonly examples: readonly Tab[];
}

/** A menu of all tabs, however many fit beside each other, and of the examples that were closed. */
export function TabMenu({ examples }: ExampleProps) {
  const { tabs, activeTabIndex } = useGraphiQL(({ tabs, activeTabIndex }) => ({ tabs, activeTabIndex }));
  const { changeTab } = useGraphiQLActions();
  const openTab = useOpenTab();
  const closed = examples.filter((example) => !exampleOf(example, tabs));

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
    <DropdownMenu>
      <DropdownMenu.Button className="tab-menu">
        All tabs <span aria-hidden="true">▾</span>
      </DropdownMenu.Button>
      <DropdownMenu.Content align="end">
        {tabs.map(({ id, title }, index) => (
          <DropdownMenu.Item
            key={id}
            aria-current={index === activeTabIndex ? 'true' : undefined}
            onSelect={() => changeTab(index)}
          >
            {title}
          </DropdownMenu.Item>
        ))}
        {closed.map((example) => (
          <DropdownMenu.Item key={example.query} onSelect={() => openTab(example)}>
            {operationName(example)} <small>example</small>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
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
