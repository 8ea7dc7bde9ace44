import { addCopyButtons } from './copy.ts';
import { markCurrentSection } from './current-section.ts';
import { showOwnOrigin } from './origin.ts';
import { enableSearch } from './search.ts';

// The origin first, so that it is what is copied.
showOwnOrigin();
addCopyButtons();
enableSearch();
markCurrentSection();
