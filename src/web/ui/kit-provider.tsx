import type { ReactNode } from 'react'
import { createTheme, MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.layer.css'
import './kit-tokens.css'
import { styleNonce } from './style-nonce.ts'

const kitTheme = createTheme({ respectReducedMotion: true })

/**
 * Wraps every component of the component library (Mantine) with our tokens and the page's style nonce. The library would write style elements by
 * innerHTML, which the page's content policy forbids; here it writes none, because its variables are in a style sheet. The shell and the lists
 * do not use it, so it loads only with the components that do; the style sheet of each used component must be imported there.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={kitTheme}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateInlineStyles
      colorSchemeManager={pageScheme}
      defaultColorScheme="dark"
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  )
}

// The library's colours are our tokens, which follow the theme by themselves; the library must only leave the page's theme alone.
const pageScheme: MantineColorSchemeManager = {
  get: () => (getComputedStyle(document.documentElement).colorScheme === 'light' ? 'light' : 'dark'),
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}
