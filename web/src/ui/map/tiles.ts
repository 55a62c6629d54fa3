const meta = () => document.querySelector<HTMLMetaElement>('meta[name="tiles"]')

/** Where the server says that street tiles come from, and whom to name for them; without a source there are none. */
export const tileSource = () => ({ url: meta()?.content ?? '', attribution: meta()?.dataset.attribution ?? '' })
