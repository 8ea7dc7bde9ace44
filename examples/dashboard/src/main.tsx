import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';

const page = document.getElementById('page');
if (!page) throw new Error('The document has no element with id "page"');

// During development, vite.config.ts inserts a token here.
const prefilled = document.querySelector<HTMLMetaElement>('meta[name="prefill-token"]');

createRoot(page).render(
  <StrictMode>
    <App prefilledToken={prefilled?.content ?? ''} />
  </StrictMode>,
);
