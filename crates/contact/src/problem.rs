//! Contacts that do not give way as one problem: the inverse mass felt at the contacts, and what is asked of each of them.
