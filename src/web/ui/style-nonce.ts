/** Returns the nonce for styles that the server wrote into the page ('' if there is none, as in the dev server). */
export function styleNonce(): string {
  const meta = document.querySelector('meta[property="csp-nonce"]')
  return meta instanceof HTMLMetaElement ? meta.nonce : ''
}
