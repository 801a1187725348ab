import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { shortTextNames } from '../scripts/short-text-names.mjs';
import { thirdPartyLicenses } from '../scripts/third-party-licenses.mjs';

// The pages. The policy allows scripts and styles from files of ours only, so nothing may be written into the page
// itself: no inlined files, no polyfill that adds a script.
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [shortTextNames(), react(), thirdPartyLicenses()],
  // The compressed sizes that count are measured in the tests; computing them here costs a second.
  build: {
    outDir: '../dist-web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The application, and the reference at /docs.
    rolldownOptions: { input: ['index.html', 'docs.html'].map((file) => `${import.meta.dirname}/${file}`) },
    target: ['chrome123', 'firefox125', 'safari17.5'],
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
  },
});
