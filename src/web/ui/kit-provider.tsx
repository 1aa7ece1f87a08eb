import type { ReactNode } from 'react'
import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import { kitTheme, kitTokens } from './theme.ts'
import { styleNonce } from './style-nonce.ts'

/**
 * Around every component of the component library (Mantine): our theme and tokens, and the page's style nonce. The shell and the lists use
 * none, so the library is loaded only with what needs it; the style sheet of each component used has to be imported beside it.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={kitTheme}
      cssVariablesResolver={kitTokens}
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
