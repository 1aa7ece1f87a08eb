export const themes = ['dark', 'light', 'system'] as const
export type Theme = (typeof themes)[number]

export const defaultTheme: Theme = 'dark'

/** One year, because the choice outlives the session. */
const THEME_COOKIE_SECONDS = 365 * 24 * 60 * 60

/** Returns the current theme from the cookie `theme`; any unknown value is the default, dark. */
export function readTheme(cookies: string = document.cookie): Theme {
  const value = /(?:^|;\s*)theme=([^;]*)/.exec(cookies)?.[1]
  return themes.find((theme) => theme === value) ?? defaultTheme
}

/** Applies the theme at once and stores it in the cookie. */
export function saveTheme(theme: Theme): void {
  document.cookie = `theme=${theme}; path=/; max-age=${THEME_COOKIE_SECONDS}; samesite=lax`
  applyTheme(theme)
}

/** Applies the theme to the page: to the root for the styles, and to the body as specified. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  document.body.dataset['theme'] = theme
  document.body.classList.remove(...themes)
  document.body.classList.add(theme)
}

/** Whether the page is dark now; `system` follows the operating system. */
export function isDark(theme: Theme): boolean {
  return theme === 'system' ? !globalThis.matchMedia('(prefers-color-scheme: light)').matches : theme === 'dark'
}
