import type { Plugin } from 'vite';

export function shortTextNames(): Plugin;
