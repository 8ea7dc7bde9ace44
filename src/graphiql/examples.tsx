import { DropdownMenu, useGraphiQL } from '@graphiql/react';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { PageProps } from './session.ts';
import { useOpenTab } from './tab-hooks.ts';
import { describeExample, getExamples } from './tabs.ts';

/** The menu of examples. Choosing one activates the tab that contains it unchanged, or opens a new tab. */
export function ExampleMenu({ settings, session }: PageProps) {
  const chosen = useSyncExternalStore(session.subscribe, () => session.get().administrationId);
  const examples = useMemo(() => getExamples(settings, chosen), [settings, chosen]);
  const activeTabIndex = useGraphiQL((state) => state.activeTabIndex);
  const title = useGraphiQL((state) => state.tabs[state.activeTabIndex]?.title);
  const openTab = useOpenTab();

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each active tab, and again once it has its name.
  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeTabIndex, title]);

  return (
    <DropdownMenu>
      <DropdownMenu.Button>Examples</DropdownMenu.Button>
      <DropdownMenu.Content align="end" className="examples">
        {examples.map((example) => {
          const { name, comment } = describeExample(example);
          return (
            <DropdownMenu.Item key={name} textValue={name} onSelect={() => openTab(example)}>
              <b>{name}</b>
              <span>{comment}</span>
            </DropdownMenu.Item>
          );
        })}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}
