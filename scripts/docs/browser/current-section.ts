/** How far below the top of the window a heading counts as reached: below the header, where links to it lead. */
const REACHED_PX = 120;

/** Marks the section that is being read in the navigation, and keeps it in sight there. */
export function markCurrentSection(): void {
  const nav = document.querySelector('nav');
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav ul ul a')];
  const sections = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  if (!nav || sections.length === 0) return;
  let marked: HTMLAnchorElement | undefined;

  const mark = () => {
    const reached = sections.filter(({ heading }) => heading.getBoundingClientRect().top < REACHED_PX);
    const current = reached.at(-1)?.link;
    if (current === marked) return;
    marked?.removeAttribute('aria-current');
    current?.setAttribute('aria-current', 'location');
    marked = current;
    if (current) keepInSight(nav, current);
  };

  let isWaiting = false;
  addEventListener(
    'scroll',
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** Scrolls the navigation alone, never the page. */
function keepInSight(nav: Element, link: Element): void {
  const frame = nav.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) nav.scrollTop += top - frame.top - frame.height / 2;
}
