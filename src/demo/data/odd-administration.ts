/**
 * The administration for those who test clients: all that is legal and rare is in it, and nothing of it anywhere else,
 * so that people believe what they see in the others.
 */
export const ODD_ADMINISTRATION = '1003';
