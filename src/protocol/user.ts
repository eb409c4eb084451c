/** `GET` and `PUT /user`: what agents call the user; "": nothing, so "Owner". */
export interface UserAnswer {
  readonly name: string;
}
