import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';

const page = document.getElementById('page');
if (!page) throw new Error('The document has no element with id "page"');

// While developing, vite.config.ts puts a token here.
const prefilled = document.querySelector<HTMLMetaElement>('meta[name="prefill-token"]');

createRoot(page).render(
  <StrictMode>
    <App prefilledToken={prefilled?.content ?? ''} />
  </StrictMode>,
);
