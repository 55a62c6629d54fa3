/** The placeholders in web/pop.html. */
export const HEAD = '<!--POP_HEAD-->'
export const BODY = '<!--POP_BODY-->'
