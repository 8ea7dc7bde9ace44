import type { Status } from '../../telemetry/status.ts';
import { encoded } from '../markup.ts';
import { STATUS_PATH } from '../status.ts';
import { breakersText, FIGURES, NO_BREAKERS, NO_NUMBER, periodText } from './figures.ts';

const REFRESH_MS = 5_000;

/** The status as a panel that {@link LIVE_SCRIPT} keeps up to date. Without scripts it shows how it was at first. */
export function renderPanel(status: Status): string {
  const items = FIGURES.map(({ label, member, unit }) => {
    const number = status[member];
    const hidden = number === null ? ' hidden' : '';
    return `<div><dt>${label}</dt><dd><b data-member="${member}">${number ?? NO_NUMBER}</b><span${hidden}> ${unit}</span></dd></div>`;
  });
  return `<section class="live" aria-labelledby="live">
<h2 id="live">Activity in the last <span data-member="seconds">${periodText(status.seconds)}</span></h2>
<dl>
${items.join('\n')}
<div class="breakers"><dt>Open circuit breakers</dt><dd data-member="openBreakers">${encoded(breakersText(status))}</dd></div>
</dl>
<p hidden>The gateway does not answer. These are the last figures it gave.</p>
</section>`;
}

/** Nothing is asked while the page is out of sight. */
export const LIVE_SCRIPT = `
const panel = document.querySelector('.live');
const formats = {
  seconds: ${periodText},
  openBreakers: (value) => value.join(', ') || '${NO_BREAKERS}',
};
const number = (value) => value ?? '${NO_NUMBER}';

async function readStatus() {
  const response = await fetch('${STATUS_PATH}');
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}

async function refresh() {
  if (document.hidden) return;
  const status = await readStatus().catch(() => undefined);
  panel.querySelector('p').hidden = status !== undefined;
  if (status === undefined) return;
  for (const element of panel.querySelectorAll('[data-member]')) {
    const { member } = element.dataset;
    element.textContent = (formats[member] ?? number)(status[member]);
    const unit = element.nextElementSibling;
    if (unit) unit.hidden = status[member] === null;
  }
}

setInterval(refresh, ${REFRESH_MS});
document.addEventListener('visibilitychange', refresh);
`;
