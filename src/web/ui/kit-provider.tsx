import type { ReactNode } from 'react'
import { createTheme, MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import '@mantine/core/styles/default-css-variables.layer.css'
import './kit-tokens.css'
import { styleNonce } from './style-nonce.ts'

const kitTheme = createTheme({ respectReducedMotion: true })

/**
 * Around every component of the component library (Mantine): our tokens, and the page's style nonce. The library would write style elements
 * by innerHTML, which the page's content policy refuses: it writes none here, since its variables stand in a style sheet. The shell and the
 * lists use no component of it, so it is loaded only with what needs it; the style sheet of each component used has to be imported beside it.
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

// The colours of the library are our tokens, which follow the page by themselves; it only has to leave the page's theme alone.
const pageScheme: MantineColorSchemeManager = {
  get: () => (getComputedStyle(document.documentElement).colorScheme === 'light' ? 'light' : 'dark'),
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}
